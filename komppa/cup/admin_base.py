"""What all pages of the organiser have in common: nothing saves by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.forms import BaseForm, BaseFormSet, BaseModelFormSet, ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from komppa.cup.access import is_organiser, visitor
from komppa.cup.models import Cup
from komppa.errors import Refusal
from komppa.network import Reach, reach
from komppa.qr import qr_svg

Urls = list[URLPattern]
if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


class Listing(ChangeList):
    """A list that knows nobody by a number longer than the database's longest."""

    def get_results(self, request: HttpRequest) -> None:
        try:
            super().get_results(request)
        except OverflowError:
            self.queryset = self.queryset.none()
            super().get_results(request)


class ServiceAdmin(_ModelAdmin):
    """Writes through services alone, for organisers alone.

    What a page may do it overrides, with a call of one service; what nobody has
    overridden raises, rather than let Django save by itself. A refusal brings the
    form back with its reason and with all that was typed.
    """

    actions = None
    show_facets = admin.ShowFacets.NEVER
    cup_parameter = "cup__id__exact"
    """The part of a list's address that narrows it to one cup."""

    def save_model(
        self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool
    ) -> None:
        raise NotImplementedError

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        raise NotImplementedError

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        raise NotImplementedError

    def save_formset(
        self,
        request: HttpRequest,
        form: Any,
        formset: BaseModelFormSet[Any, Any],
        change: bool,
    ) -> None:
        raise NotImplementedError

    def save_related(
        self, request: HttpRequest, form: Any, formsets: Any, change: bool
    ) -> None:
        """Save nothing more: the service has saved all."""

    # The organisers' log is written by the services.
    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> None: ...
    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None: ...
    def log_deletions(self, request: HttpRequest, queryset: Any) -> None: ...

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_organiser(visitor(request))

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_organiser(visitor(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_organiser(visitor(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_organiser(visitor(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_organiser(visitor(request))

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        # Each row has one address. Django would read the digits of every script, and
        # fail at the name of a field that is not there.
        found = super().get_object(request, object_id) if object_id.isascii() else None
        if found is None:
            raise Http404
        return found

    def get_form(
        self, request: HttpRequest, obj: Any = None, **kwargs: Any
    ) -> type[ModelForm[Any]]:
        form = super().get_form(request, obj, **kwargs)
        refusal = getattr(request, "refusal", None)
        return type(form.__name__, (form,), {"refusal": refusal})

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        only_save = {
            "show_save_and_add_another": False,
            "show_save_and_continue": False,
        }
        context = {**only_save, **(extra_context or {})}
        try:
            return super().changeform_view(request, object_id, form_url, context)
        except (Refusal, ValidationError) as refusal:
            # Once more, now with a form that cannot be valid.
            request.refusal = refusal  # type: ignore[attr-defined]
            return super().changeform_view(request, object_id, form_url, context)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return Listing

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show a list narrowed to a cup among the pages of that cup."""
        number = request.GET.get(self.cup_parameter, "")
        known = number.isascii() and number.isdigit() and len(number) < 19
        cup = Cup.objects.filter(pk=number).first() if known else None
        context = {"cup": cup, "here": self.opts.model_name, **(extra_context or {})}
        return super().changelist_view(request, context)

    def get_urls(self) -> Urls:
        """Leave out the history, the log being one for all, and guessed addresses."""
        kept = ("_changelist", "_add", "_change", "_delete")
        return [url for url in super().get_urls() if (url.name or "").endswith(kept)]


class CupFilter(admin.RelatedOnlyFieldListFilter):
    """By cup; its columns have no name of their own to show."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = _("turnaus")


class ListAdmin(ServiceAdmin):
    """A list to read, whose rows open no form."""

    list_display_links = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_urls(self) -> Urls:
        name = f"{self.opts.app_label}_{self.opts.model_name}_changelist"
        view = self.admin_site.admin_view(self.changelist_view)
        return [path("", view, name=name)]


def cup_by_id(cup_id: int) -> Cup:
    return get_object_or_404(Cup, pk=cup_id)


def page(
    request: HttpRequest,
    template: str,
    *,
    title: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """Answer with one of the organiser's own pages."""
    if status == 422:
        _start_at_first_error(context.values())
    common = admin.site.each_context(request)
    return TemplateResponse(
        request, template, {**common, "title": title, **context}, status=status
    )


def _start_at_first_error(shown: Iterable[Any]) -> None:
    """Put the cursor where something has to be mended."""
    for each in shown:
        for form in each if isinstance(each, BaseFormSet) else [each]:
            if isinstance(form, BaseForm):
                for name in form.errors:
                    if name in form.fields:
                        form.fields[name].widget.attrs["autofocus"] = True
                        return


@dataclass(frozen=True, slots=True)
class Address:
    """A page's address for others, to print or to read with a phone."""

    url: str
    code: SafeString
    reach: Reach


def address_for_others(request: HttpRequest, path: str) -> Address:
    """Return the address at which others find a page of ours."""
    found = reach(
        public_url=settings.PUBLIC_URL,
        scheme=request.scheme or "http",
        host=request.get_host(),
    )
    url = found.url + path
    return Address(url, qr_svg(url), found)


def with_next(text: str, url: str, step: str) -> SafeString:
    """Return a message that leads to what comes next."""
    return format_html('{} <a class="next-step" href="{}">{}</a>', text, url, step)


def act(
    request: HttpRequest,
    service: Callable[..., Any],
    *,
    done: str,
    back: Sequence[Any],
    **facts: Any,
) -> HttpResponse:
    """Call a service; say on the page one comes back to what came of it."""
    try:
        service(by=visitor(request), **facts)
    except Refusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, done)
    return redirect(*back)
