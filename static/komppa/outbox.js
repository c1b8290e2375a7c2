// What was typed survives: a draft of each game's sheet is kept on this device, and a
// saved deal is sent with the same key until it has been answered. The server takes a
// key once, so sending again never counts twice.
(() => {
  "use strict";

  const sheet = window.komppaSheet;
  const words = () => document.querySelector("[data-sheet-words]").dataset;
  const theForm = () => document.querySelector("[data-deal-form]");
  const game = words().sheet;
  const STORE = `komppa:sheet:${game}`;
  const NOT_TYPED = new Set(["csrfmiddlewaretoken", "number", "key", "confirmed"]);
  const TRIES = 4;
  const SLOW = 3000;
  const GIVE_UP = 12000;
  const PAUSES = [2000, 4000, 8000, 15000];

  // What this device keeps of the game: the draft in the form, deals to be sent, and
  // drafts that wait for an earlier deal to be settled.

  let memory = { draft: null, queue: [], later: [] };

  const load = () => {
    try {
      memory = { ...memory, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
    } catch {
      // Without storage the page's own memory has to do.
    }
    return memory;
  };

  const keep = (changes) => {
    memory = { ...load(), ...changes };
    const isEmpty = !memory.draft && !memory.queue.length && !memory.later.length;
    try {
      if (isEmpty) localStorage.removeItem(STORE);
      else localStorage.setItem(STORE, JSON.stringify(memory));
    } catch {
      // As above.
    }
  };

  const newKey = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };

  const read = (form) => ({
    number: Number(form.elements.number.value),
    key: form.elements.key.value,
    position: Number(form.dataset.position),
    fields: [...new FormData(form)].filter(
      ([name, value]) => value !== "" && !NOT_TYPED.has(name),
    ),
  });

  // These go with what was typed, since they tell whom an A and an A1 meant.
  const TOLD = new Set(["seating", "teams"]);
  const isTyped = (form) => read(form).fields.some(([name]) => !TOLD.has(name));

  // What lost to another device belongs to the deal that it lost: after a reload it is
  // offered, and not put into the next deal's form as if it had been meant for it.
  const draftOf = (form) => {
    if (!isTyped(form)) return null;
    const draft = read(form);
    const lost = document.querySelector("[data-conflict-number]");
    if (!lost) return draft;
    const number = Number(lost.dataset.conflictNumber);
    return { ...draft, number, position: number };
  };

  const fill = (form, fields) => {
    const values = new Map(fields);
    for (const input of form.elements) {
      if (!input.name || NOT_TYPED.has(input.name)) continue;
      const value = values.get(input.name) ?? "";
      if (input.type === "radio") input.checked = input.value === value;
      else if (input.type === "checkbox") input.checked = values.has(input.name);
      else if (input.type !== "submit") input.value = value;
    }
    sheet.adopt(form);
    sheet.touched(form);
  };

  // Words to whoever holds the tablet.

  const button = (label, act, style = "btn-secondary") => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `btn ${style}`;
    made.textContent = label;
    made.addEventListener("click", act);
    return made;
  };

  const banner = (text, ...actions) => {
    const place = document.querySelector("[data-sheet-banner]");
    if (!place) return;
    place.replaceChildren();
    place.hidden = !text;
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    place.append(line, ...actions);
  };

  const status = (...texts) => {
    const line = document.querySelector("[data-sheet-status]");
    if (!line) return;
    line.textContent = texts.filter(Boolean).join(" ");
    line.hidden = !line.textContent;
  };

  const unsaved = (entry) => words().unsaved.replace("{number}", entry.position);

  // The page takes the server's answer in place of what it shows.

  const parse = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    return page.querySelector("#content [data-sheet-words]") ? page : null;
  };

  const swap = (page, { focus } = {}) => {
    const content = page.getElementById("content");
    const here = document.getElementById("content");
    const place = window.scrollY;
    here.replaceChildren(...content.childNodes);
    document.title = page.title;
    document.body.dataset.revision = page.body.dataset.revision ?? "";
    window.htmx?.process(here);
    begin();
    const target = focus && here.querySelector(focus);
    if (target) {
      target.scrollIntoView({ block: "center" });
      target.focus({ preventScroll: true });
    } else {
      here.focus({ preventScroll: true });
      window.scrollTo({ top: focus === null ? place : 0, behavior: "instant" });
    }
  };

  const refresh = async (options) => {
    try {
      const response = await fetch(words().address, { cache: "no-store" });
      const page = parse(await response.text());
      if (response.ok && page) swap(page, options);
    } catch {
      // The stream will tell again, or the person will.
    }
  };

  // Sending, until it has been answered.

  let isSending = false;
  let failures = 0;
  let timer = 0;

  const typeOn = (entry) => {
    const form = theForm();
    if (!form || Number(form.elements.number.value) !== entry.number) return;
    form.elements.number.value = entry.number + 1;
    form.elements.key.value = newKey();
    form.dataset.position = entry.position + 1;
    fill(form, []);
    // Whether the next deal opens a set is not known before this one is.
    const clubAce = form.querySelector("#part-club_ace");
    if (clubAce) clubAce.hidden = true;
    for (const said of form.querySelectorAll("#problems, #doubts, .field-error")) said.remove();
    for (const field of form.querySelectorAll("[aria-describedby^='error-'], [aria-invalid]")) {
      field.removeAttribute("aria-describedby");
      field.removeAttribute("aria-invalid");
    }
    const save = form.querySelector(".save-button");
    save.removeAttribute("name");
    save.removeAttribute("value");
    save.dataset.label = words().save.replace("{position}", form.dataset.position);
    labelSave(form, false);
  };

  const labelSave = (form, isBusy) => {
    const save = form.querySelector(".save-button");
    save.dataset.label ??= save.textContent;
    save.disabled = isBusy;
    save.textContent = isBusy ? words().saving : save.dataset.label;
  };

  const post = (entry, token) => {
    const body = new URLSearchParams(entry.fields);
    body.set("csrfmiddlewaretoken", token);
    body.set("number", entry.number);
    body.set("key", entry.key);
    if (entry.confirmed) body.set("confirmed", entry.confirmed);
    const abort = new AbortController();
    const alarm = setTimeout(() => abort.abort(), GIVE_UP);
    return fetch(words().address, { method: "POST", body, signal: abort.signal })
      .then(async (response) => ({ response, html: await response.text() }))
      .finally(() => clearTimeout(alarm));
  };

  const token = () => document.querySelector('[name="csrfmiddlewaretoken"]')?.value ?? "";

  const freshToken = async () => {
    const page = await (await fetch(words().address, { cache: "no-store" })).text();
    const parsed = new DOMParser().parseFromString(page, "text/html");
    return parsed.querySelector('[name="csrfmiddlewaretoken"]')?.value ?? "";
  };

  const again = (entry, why) => {
    status(why, unsaved(entry), words().typeOn);
    typeOn(entry);
    const pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(pump, pause);
  };

  const stop = (entry, text, ...actions) => {
    status(unsaved(entry));
    banner(text, ...actions);
    const form = theForm();
    if (form) labelSave(form, false);
  };

  const signIn = () => {
    const link = document.createElement("a");
    link.className = "btn btn-primary";
    link.href = words().signInUrl;
    link.textContent = words().signIn;
    return link;
  };

  const giveUp = (entry) => {
    keep({ queue: load().queue.filter((other) => other.key !== entry.key) });
    refresh();
  };

  const settle = (entry, { response, html }) => {
    const isHere = response.url === new URL(words().address, window.location.href).href;
    if (!isHere) return stop(entry, words().signedOut, signIn());
    const page = parse(html);
    // Another tab may have sent it meanwhile, so the deal is found by its key.
    const rest = load().queue.filter((other) => other.key !== entry.key);
    if (response.ok && response.redirected && page) {
      failures = 0;
      keep({ queue: rest });
      swap(page, { focus: load().draft ? null : undefined });
      return pump();
    }
    if (page && (response.status === 422 || response.status === 409)) {
      failures = 0;
      const { draft, later } = load();
      const waiting = [...rest, draft].filter((d) => d && d.number !== entry.number);
      keep({ queue: [], draft: null, later: [...waiting, ...later] });
      return swap(page, { focus: "#doubts, #problems, .sheet-conflict, .sheet-alert" });
    }
    const isRefused = response.status >= 400 && response.status < 500;
    // A server that starts anew is waited for; one that fails at this deal is not.
    const isBroken = response.status === 500 && failures >= TRIES;
    if (!isBroken && (!isRefused || response.status === 429)) {
      return again(entry, words().server);
    }
    failures = 0;
    return stop(
      entry,
      words().refused.replace("{status}", response.status),
      button(words().retry, pump, "btn-primary"),
      button(words().drop, () => giveUp(entry)),
    );
  };

  async function pump() {
    const [entry] = load().queue;
    if (!entry || isSending) return;
    isSending = true;
    clearTimeout(timer);
    const form = theForm();
    if (form && Number(form.elements.number.value) === entry.number) labelSave(form, true);
    const alarm = setTimeout(() => {
      status(words().saving, unsaved(entry), words().typeOn);
      typeOn(entry);
    }, SLOW);
    let answer = null;
    try {
      answer = await post(entry, token());
      if (answer.response.status === 403) answer = await post(entry, await freshToken());
    } catch {
      answer = null;
    }
    clearTimeout(alarm);
    isSending = false;
    if (answer) settle(entry, answer);
    else again(entry, words().offline);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-deal-form]")) return;
    event.preventDefault();
    const entry = { ...read(form), confirmed: event.submitter?.value ?? "" };
    keep({ queue: [...load().queue, entry], draft: null });
    if (load().queue.length === 1) pump();
    else {
      typeOn(entry);
      status(unsaved(load().queue[0]), words().typeOn);
    }
  });

  window.addEventListener("online", pump);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) pump();
  });

  // Drafts.

  document.addEventListener("komppa:typed", (event) => {
    const form = event.target;
    if (form.matches?.("[data-deal-form]")) {
      keep({ draft: draftOf(form) });
    }
  });

  const drop = () => {
    keep({ draft: null });
    refresh();
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-drop-draft]")) return;
    event.preventDefault();
    drop();
  });

  const restore = (form, draft) => {
    form.elements.key.value = draft.key;
    fill(form, draft.fields);
  };

  const offer = (form, draft) => {
    const put = () => {
      banner("");
      fill(form, draft.fields);
    };
    const forget = () => {
      banner("");
      keep({ draft: null });
    };
    const text = words().leftOver.replace("{number}", draft.position);
    banner(text, button(words().restore, put, "btn-primary"), button(words().drop, forget));
  };

  const begin = () => {
    const form = theForm();
    const { draft, queue, later } = load();
    for (const hidden of document.querySelectorAll("[data-take-back]")) {
      hidden.closest("details").hidden = queue.length > 0;
    }
    if (!form) return undefined;
    sheet.adopt(form);
    if (form.dataset.typed === "true") return keep({ draft: draftOf(form) });
    const waiting = draft ?? later[0];
    if (!draft && waiting) keep({ draft: waiting, later: later.slice(1) });
    const next = Number(form.elements.number.value);
    if (!waiting) return undefined;
    if (waiting.number === next) return restore(form, waiting);
    // A draft for the deal after one that is still being sent.
    if (queue.length && waiting.number > next) {
      form.elements.number.value = waiting.number;
      form.dataset.position = waiting.position;
      restore(form, waiting);
      const save = form.querySelector(".save-button");
      save.textContent = words().save.replace("{position}", waiting.position);
      return undefined;
    }
    return offer(form, waiting);
  };

  // Another device has written.

  const look = () => {
    const head = document.querySelector("[data-next-number]");
    if (!head || isSending || load().queue.length) return;
    if (head.dataset.version === words().version) return;
    const form = theForm();
    if (!form || !isTyped(form)) return refresh({ focus: null });
    const next = Number(head.dataset.nextNumber);
    const shown = Number(form.elements.number.value);
    if (next === shown) return refresh({ focus: null });
    const text =
      next > shown ? words().other.replace("{deal}", head.dataset.deal) : words().takenBack;
    return banner(`${text} ${words().kept}`, button(words().continue, drop, "btn-primary"));
  };

  document.addEventListener("komppa:swapped", look);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) refresh({ focus: null });
  });

  // By then htmx has read the page and answers to what is restored.
  document.addEventListener("DOMContentLoaded", () => {
    begin();
    pump();
  });
})();
