from django.contrib.admin.apps import AdminConfig


class KomppaAdminConfig(AdminConfig):
    default_site = "komppa.cup.admin_site.OrganiserSite"
