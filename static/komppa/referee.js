// Makes the referee's page smooth; without this every tap is a link to the next page.
// The server answers each position; here only the parts that change are put in place.
(() => {
  "use strict";

  const root = document.querySelector("[data-referee]");
  if (!root) return;

  const taps = []; // ids, since by its turn a tapped link may lead elsewhere
  let isBusy = false;

  const parts = (from) => [...from.querySelectorAll("[data-swap]")];

  async function show(address) {
    const answer = await fetch(address, { credentials: "same-origin" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!fresh.querySelector("[data-referee]")) throw new Error("not the referee");
    const focused = document.activeElement && document.activeElement.id;
    for (const part of parts(root)) {
      const html = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`).innerHTML;
      if (part.innerHTML !== html) part.innerHTML = html;
    }
    // These lead back to the position that is shown.
    for (const selector of [".languages", ".sign-in"]) {
      const [old, now] = [document, fresh].map((page) => page.querySelector(selector));
      if (old && now) old.replaceWith(now);
    }
    const focus = focused && document.getElementById(focused);
    if (focus) focus.focus({ preventScroll: true });
  }

  async function follow() {
    if (isBusy) return;
    isBusy = true;
    root.classList.add("is-asking");
    while (taps.length) {
      const link = document.getElementById(taps.shift());
      if (!link || !link.href) continue;
      try {
        // The place on the page is for those who have no script.
        const address = link.href.replace(/\??#.*$/, "");
        await show(address);
        history.pushState(null, "", address);
        offerSharing();
      } catch {
        location.assign(link.href);
        return;
      }
    }
    root.classList.remove("is-asking");
    isBusy = false;
  }

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step]");
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    link.classList.add("is-tapped");
    taps.push(link.id);
    follow();
  });

  window.addEventListener("popstate", () => {
    show(location.href).then(offerSharing, () => location.reload());
  });

  // Arrow keys walk in the pack, row by row.
  const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

  root.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const cell = event.target.closest("[data-arrows] a");
    if (!step || !cell) return;
    const rows = [...cell.parentElement.parentElement.children];
    let row = rows.indexOf(cell.parentElement);
    let column = [...cell.parentElement.children].indexOf(cell);
    for (;;) {
      row += step[0];
      column += step[1];
      const next = rows[row] && rows[row].children[column];
      if (!next) return;
      if (next.matches("a")) {
        event.preventDefault();
        next.focus();
        return;
      }
    }
  });

  // Sharing: by the device's own menu, else by copying the address.
  function offerSharing() {
    const button = root.querySelector("[data-share]");
    if (button) button.hidden = !location.search;
  }

  // Browsers give the menu and the clipboard only to https, and a hall has http.
  function copyByHand(button) {
    const field = root.querySelector("[data-share-address]");
    field.value = location.href;
    field.hidden = false;
    field.focus({ preventScroll: true });
    field.select();
    const isCopied = document.execCommand("copy");
    if (isCopied) {
      field.hidden = true;
      button.focus({ preventScroll: true });
    } else {
      field.scrollIntoView({ block: "center" });
    }
    return isCopied;
  }

  root.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) return;
    if (navigator.share) {
      // Refused when the person closes the menu: nothing to mend.
      navigator.share({ title: document.title, url: location.href }).catch(() => {});
      return;
    }
    const byHand = () => copyByHand(button);
    const isCopied = navigator.clipboard
      ? await navigator.clipboard.writeText(location.href).then(() => true, byHand)
      : byHand();
    if (isCopied) button.textContent = button.dataset.textCopied;
  });

  offerSharing();
})();
