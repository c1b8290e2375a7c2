// Conveniences of the scorekeepers' pages; without them everything still works.
(() => {
  "use strict";

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  // A second tap would put its own answer in place of the passwords.
  for (const form of document.querySelectorAll("[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "true";
      event.submitter?.classList.add("is-busy");
    });
  }
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  for (const label of document.querySelectorAll("[data-tick-all]")) {
    const all = label.querySelector("input");
    const each = () => [...document.querySelectorAll('input[name="people"]')];
    label.hidden = each().length < 2;
    all.addEventListener("change", () => {
      for (const box of each()) box.checked = all.checked;
    });
    document.addEventListener("change", (event) => {
      if (event.target.name !== "people") return;
      all.checked = each().every((box) => box.checked);
    });
  }
})();
