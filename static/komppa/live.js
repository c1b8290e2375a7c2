// Keeps the parts of a page current. The events come from komppa/live/stream.py.
//
//   <body data-events="/events/demo/" data-revision="12" data-language="fi">
//     <div data-part="groups">...</div>
//
// What others may use:
//   body[data-live]     "live", "stale" (no connection), "gone" (nothing to show any more)
//   [data-live-status]  is given its own data-text-stale, -live or -gone to say
//   [data-key]          in a part: gets the class is-updated for a while when its text changes
//   [data-announce]     in a part: its text is read aloud when it changes
//   details[id], [id]   in a part: stays open, keeps the focus
//   komppa:swapped      event of a part whose HTML was replaced; detail {part, revision}
(() => {
  "use strict";

  const page = document.body;
  if (!page.dataset.events) return;

  const SILENCE = 40000; // a heartbeat comes every 15 s
  const GRACE = 4000; // so long may a connection be away before it is told
  const POLL_FIRST = 8000;
  const POLL = 25000;
  const POLL_PATIENCE = 15000;
  const AWAY = 10000; // hidden for longer than this, the page may well be stale
  const DELAYS = [1000, 2000, 4000, 8000, 16000, 30000];
  const HIGHLIGHT = 3000;
  const FAREWELL = 4000;

  const shown = new Map(); // the revision of each part, where it is not `floor`
  const latest = new WeakMap(); // the HTML last put into each element
  const marked = new WeakMap(); // until when each element is highlighted
  const lost = new Set(); // parts that the server no longer has
  let floor = Number(page.dataset.revision) || 0;
  let since = floor;

  let source = null;
  let asked = "";
  let heard = 0; // when the stream last said anything
  let trouble = 0; // since when there is no stream, 0 if there is
  let attempts = 0;
  let openAt = 0;
  let pollAt = 0;
  let polled = 0;
  let isPolling = false;
  let hiddenAt = 0;
  let ticking = 0;
  let isOver = false;

  const jitter = (time) => time * (0.8 + 0.4 * Math.random());
  const partsIn = (root) => [...root.querySelectorAll("[data-part]")];
  const names = () =>
    [...new Set(partsIn(document).map((part) => part.dataset.part))].sort().join(",");
  const textOf = (element) => element.textContent.replace(/\s+/g, " ").trim();

  // ---- the state of the connection

  let farewell = 0;

  function show(state) {
    if (state === "live" && lost.size) state = "gone";
    const before = page.dataset.live;
    if (before === state) return;
    page.dataset.live = state;
    const status = document.querySelector("[data-live-status]");
    if (!status) return;
    clearTimeout(farewell);
    const texts = {
      stale: status.dataset.textStale,
      gone: status.dataset.textGone,
      live: before === "stale" ? status.dataset.textLive : "",
    };
    status.textContent = texts[state] || "";
    if (state === "live") farewell = setTimeout(() => (status.textContent = ""), FAREWELL);
  }

  function hear() {
    heard = Date.now();
  }

  function recover() {
    trouble = 0;
    attempts = 0;
    show("live");
  }

  function fail() {
    const now = Date.now();
    if (!trouble) pollAt = now + jitter(POLL_FIRST);
    trouble = trouble || now;
  }

  // ---- the stream

  function close() {
    if (source) source.close();
    source = null;
  }

  function open() {
    close();
    asked = names();
    if (isOver || document.hidden || !asked || !window.EventSource) return;
    const address = new URL(page.dataset.events, location.href);
    const language = page.dataset.language || document.documentElement.lang;
    address.search = new URLSearchParams({ lang: language, since, parts: asked });
    hear();
    fail(); // until the first word
    const opened = new EventSource(address);
    source = opened;
    opened.addEventListener("error", () => {
      if (opened === source) dropped();
    });
    on("refresh", () => {
      shown.clear();
      floor = -1;
    });
    on("part", ({ part, revision, html }) => {
      lost.delete(part);
      replace(part, html, revision);
    });
    on("gone", ({ part }) => {
      if (part === null) end();
      else lost.add(part);
    });
    on("revision", ({ revision }) => {
      since = revision;
      recover();
      follow();
    });
  }

  function on(kind, act) {
    const from = source;
    from.addEventListener(kind, (event) => {
      if (from !== source) return;
      hear();
      act(JSON.parse(event.data));
    });
  }

  function dropped() {
    // While it says CONNECTING the browser tries again by itself; CLOSED is for good.
    fail();
    if (source.readyState === EventSource.CLOSED) retryLater();
  }

  function retryLater() {
    close();
    fail();
    openAt = Date.now() + jitter(DELAYS[Math.min(attempts, DELAYS.length - 1)]);
    attempts += 1;
  }

  function follow() {
    if (ticking && names() !== asked) open();
  }

  function end() {
    isOver = true;
    pause();
    show("gone");
  }

  // ---- without the stream: now and then the page itself

  async function poll() {
    const before = since;
    const abandon = new AbortController();
    const timer = setTimeout(() => abandon.abort(), POLL_PATIENCE);
    isPolling = true;
    try {
      const answer = await fetch(location.href, {
        credentials: "same-origin",
        cache: "no-store",
        signal: abandon.signal,
      });
      if (!answer.ok) return;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (fresh.body.dataset.events !== page.dataset.events) return;
      const revision = Number(fresh.body.dataset.revision);
      if (revision < before) {
        // The database has been put back to an earlier day.
        shown.clear();
        floor = -1;
        since = revision;
      }
      for (const part of partsIn(fresh)) replace(part.dataset.part, part.innerHTML, revision);
      since = Math.max(since, revision);
      polled = Date.now();
      show("live");
    } catch {
      // The next round tries again; until then the page says that it is stale.
    } finally {
      clearTimeout(timer);
      isPolling = false;
      pollAt = Date.now() + jitter(POLL);
    }
  }

  // ---- time passes

  function tick() {
    const now = Date.now();
    if (source && now - heard > SILENCE) retryLater();
    if (trouble) {
      const isPolled = now - polled < POLL * 1.2 + POLL_PATIENCE;
      if (now - trouble > GRACE && !isPolled) show("stale");
      if (now >= pollAt && !isPolling) poll();
      if (!source && now >= openAt) open();
    }
  }

  function pause() {
    close();
    clearInterval(ticking);
    ticking = 0;
    hiddenAt = hiddenAt || Date.now();
  }

  function resume() {
    if (isOver || ticking) return;
    if (hiddenAt && Date.now() - hiddenAt > AWAY) show("stale");
    hiddenAt = 0;
    trouble = 0;
    attempts = 0;
    ticking = setInterval(tick, 1000);
    if (!window.EventSource) fail();
    open();
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? pause() : resume()));
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", () => {
    if (!document.hidden) resume();
  });
  window.addEventListener("offline", () => {
    fail();
    show("stale");
  });
  window.addEventListener("online", () => {
    attempts = 0;
    if (ticking) open();
  });
  page.addEventListener("htmx:afterSettle", follow);

  // ---- putting new HTML in the place of the old

  function replace(name, html, revision) {
    if (revision < (shown.has(name) ? shown.get(name) : floor)) return;
    shown.set(name, revision);
    for (const part of document.querySelectorAll(`[data-part="${CSS.escape(name)}"]`)) {
      const old = latest.has(part) ? latest.get(part) : part.innerHTML;
      latest.set(part, html);
      if (old !== html) swap(part, html, revision);
    }
  }

  function swap(part, html, revision) {
    const kept = remember(part);
    part.innerHTML = html;
    if (window.htmx) window.htmx.process(part);
    restore(part, kept);
    part.dispatchEvent(
      new CustomEvent("komppa:swapped", {
        bubbles: true,
        detail: { part: part.dataset.part, revision },
      }),
    );
  }

  function remember(part) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    return {
      focus: focused && focused.id,
      selection: focused && "selectionStart" in focused ? selectionOf(focused) : null,
      open: [...part.querySelectorAll("details[id]")].map((box) => [box.id, box.open]),
      scrolled: [...part.querySelectorAll("*")]
        .filter((element) => element.scrollLeft || element.scrollTop)
        .map((element) => [pathOf(part, element), element.scrollLeft, element.scrollTop]),
      mark: markOf(part),
      keys: textsOf(part, "data-key"),
      marked: new Map(keyed(part, "data-key").map(([key, at]) => [key, marked.get(at)])),
      spoken: textsOf(part, "data-announce"),
    };
  }

  function restore(part, kept) {
    for (const [id, isOpen] of kept.open) {
      const box = part.querySelector(`details#${CSS.escape(id)}`);
      if (box) box.open = isOpen;
    }
    for (const [path, left, top] of kept.scrolled) {
      const element = path.reduce((from, index) => from && from.children[index], part);
      if (element) element.scrollTo({ left, top, behavior: "instant" });
    }
    stayInPlace(part, kept.mark);
    const focus = kept.focus && part.querySelector(`#${CSS.escape(kept.focus)}`);
    if (focus) {
      focus.focus({ preventScroll: true });
      if (kept.selection) focus.setSelectionRange(...kept.selection);
    }
    highlight(part, kept.keys, kept.marked);
    speak(part, kept.spoken);
  }

  function selectionOf(field) {
    // Null in fields that have no text to select, where setting it would throw.
    return field.selectionStart === null ? null : [field.selectionStart, field.selectionEnd];
  }

  function pathOf(part, element) {
    const path = [];
    for (let at = element; at !== part; at = at.parentElement) {
      path.unshift([...at.parentElement.children].indexOf(at));
    }
    return path;
  }

  // What the reader looks at stays where it is, though rows come and go above it.
  function markOf(part) {
    for (const element of part.querySelectorAll("[data-key], [id]")) {
      const { top, height } = element.getBoundingClientRect();
      if (height && top >= 0 && top < window.innerHeight) return { ...nameOf(element), top };
    }
    return null;
  }

  function nameOf(element) {
    return element.dataset.key
      ? { attribute: "data-key", value: element.dataset.key }
      : { attribute: "id", value: element.id };
  }

  function stayInPlace(part, mark) {
    if (!mark || window.scrollY === 0) return;
    const element = part.querySelector(`[${mark.attribute}="${CSS.escape(mark.value)}"]`);
    if (!element) return;
    const moved = element.getBoundingClientRect().top - mark.top;
    if (Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: "instant" });
  }

  function textsOf(part, attribute) {
    const texts = new Map();
    for (const [key, element] of keyed(part, attribute)) texts.set(key, textOf(element));
    return texts;
  }

  function keyed(part, attribute) {
    const elements = [...part.querySelectorAll(`[${attribute}]`)];
    return elements.map((element, index) => [
      element.getAttribute(attribute) || element.dataset.key || element.id || String(index),
      element,
    ]);
  }

  // An element may be replaced again, with its part or the part around that, before its
  // mark has been seen.
  function highlight(part, before, marks) {
    if (!before.size) return;
    const now = Date.now();
    for (const [key, element] of keyed(part, "data-key")) {
      const isChanged = before.get(key) !== textOf(element);
      const until = isChanged ? now + HIGHLIGHT : marks.get(key) || 0;
      if (until <= now) continue;
      marked.set(element, until);
      element.classList.add("is-updated");
      setTimeout(() => element.classList.remove("is-updated"), until - now);
    }
  }

  // ---- reading aloud

  const voice = document.createElement("div");
  voice.className = "visually-hidden";
  voice.setAttribute("role", "status");
  voice.setAttribute("aria-live", "polite");
  page.append(voice);
  const sentences = [];
  let speaking = 0;

  function speak(part, before) {
    for (const [key, element] of keyed(part, "data-announce")) {
      const text = textOf(element);
      if (text && before.get(key) !== text && !sentences.includes(text)) sentences.push(text);
    }
    if (!sentences.length || speaking) return;
    voice.textContent = "";
    speaking = setTimeout(() => {
      voice.textContent = sentences.splice(0).join(". ");
      speaking = 0;
    }, 300);
  }

  if (!document.hidden) resume();
})();
