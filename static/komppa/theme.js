// Bootstrap keeps its dark colours behind an attribute; this follows the device's wish.
(() => {
  "use strict";
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    document.documentElement.dataset.bsTheme = dark.matches ? "dark" : "light";
  };
  follow();
  dark.addEventListener("change", follow);
})();
