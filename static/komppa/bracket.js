// Opens the bracket where play is; afterwards it stays as the reader has panned it.
(() => {
  "use strict";

  let isOpened = false;

  function open() {
    const pan = document.querySelector("[data-bracket]");
    const here = pan && pan.querySelector("[data-here]");
    if (!here || isOpened) return;
    isOpened = true;
    const margin = parseFloat(getComputedStyle(pan).paddingInlineStart) || 0;
    const from = pan.getBoundingClientRect().left + margin;
    pan.scrollLeft += here.getBoundingClientRect().left - from;
  }

  open();
  document.addEventListener("komppa:swapped", open);
})();
