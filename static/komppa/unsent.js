// A deal that could not be sent waits on this device until its game's sheet is open
// again (outbox.js); every other sheet page says so.
(() => {
  "use strict";

  const PREFIX = "komppa:sheet:";
  const place = document.querySelector("[data-unsent]");
  const here = document.querySelector("[data-sheet-words]")?.dataset.sheet;
  if (!place) return;

  const waiting = () => {
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(PREFIX) && key !== PREFIX + here)
        .filter((key) => JSON.parse(localStorage.getItem(key)).queue?.length)
        .map((key) => key.slice(PREFIX.length).split("/"));
    } catch {
      return [];
    }
  };

  const games = waiting();
  if (!games.length) return;
  const line = document.createElement("p");
  line.textContent = place.dataset.text;
  place.append(line);
  for (const [slug, number] of games) {
    const link = document.createElement("a");
    link.className = "btn btn-primary";
    link.href = `${place.dataset.base}${slug}/games/${number}/`;
    link.textContent = place.dataset.link.replace("{number}", number);
    place.append(link);
  }
  place.hidden = false;
})();
