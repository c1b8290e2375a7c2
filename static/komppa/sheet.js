// The sheet at the table. The form works without this; here are the taps that spare
// taps (suits, fouls, what follows from what) and the engine's answer while typing.
// Drafts and sending are in outbox.js.
(() => {
  "use strict";

  document.documentElement.classList.add("has-script");

  const other = (side) => (side === "A" ? "B" : "A");
  const radios = (form, name) => [...form.querySelectorAll(`[name="${name}"]`)];
  const chosen = (form, name) =>
    radios(form, name).find((radio) => radio.checked)?.value ?? "";
  const choose = (form, name, value) => {
    for (const radio of radios(form, name)) radio.checked = radio.value === value;
  };

  // Suits: the first tapped is the trump, those after it small.

  const SUITS = ["C", "D", "H", "S"];

  const readOrder = (form) => {
    const owned = SUITS.filter((suit) => chosen(form, `suit_${suit}`));
    const trump = chosen(form, "trump");
    return owned.sort((a, b) => (b === trump) - (a === trump));
  };

  const paintSuits = (form, state) => {
    const owned = (suit) => chosen(form, `suit_${suit}`);
    state.order = state.order.filter(owned);
    state.order.push(...SUITS.filter((s) => owned(s) && !state.order.includes(s)));
    choose(form, "trump", state.order[0] ?? "");
    const words = document.querySelector("[data-sheet-words]").dataset;
    for (const radio of form.querySelectorAll(".pick-suit input")) {
      const label = radio.nextElementSibling;
      const role = label.querySelector(".suit-role");
      if (!role) continue;
      const isTrump = radio.name === `suit_${state.order[0]}`;
      label.toggleAttribute("data-role", radio.checked);
      if (radio.checked) label.dataset.role = isTrump ? "trump" : "small";
      role.textContent = !radio.checked ? "" : isTrump ? words.trump : words.smallTrump;
    }
  };

  // What follows from ”no tricks” is filled in, and taken out again with it.

  const fillBlank = (form, state, name, value) => {
    const inputs = radios(form, name);
    if (!inputs.length) return;
    if (inputs[0].type === "radio") {
      if (chosen(form, name)) return;
      choose(form, name, value);
    } else {
      if (inputs[0].value) return;
      inputs[0].value = value;
    }
    state.filled.set(name, value);
  };

  const takeOutFilled = (form, state) => {
    for (const [name, value] of state.filled) {
      const [input] = radios(form, name);
      if (input.type === "radio" && chosen(form, name) === value) choose(form, name, "");
      if (input.type !== "radio" && input.value === value) input.value = "";
    }
    state.filled.clear();
  };

  const followNoTricks = (form, state) => {
    const side = chosen(form, "no_tricks");
    if (side === state.noTricks) return;
    state.noTricks = side;
    takeOutFilled(form, state);
    if (!side) return;
    const all = (most) => (side === "A" ? ["0", most] : [most, "0"]);
    fillBlank(form, state, "last_trick", other(side));
    fillBlank(form, state, "mattis", all("8")[0]);
    fillBlank(form, state, "card_points_a", all("120")[0]);
    fillBlank(form, state, "card_points_b", all("120")[1]);
  };

  const followCount = (input) => {
    const pair = input.closest("[data-sum]");
    if (!pair) return;
    const sum = Number(pair.dataset.sum);
    const rest = sum - Number(input.value);
    const isFigure = /^\d+$/.test(input.value) && rest >= 0;
    for (const field of pair.querySelectorAll("input")) {
      if (field !== input) field.value = isFigure ? String(rest) : "";
    }
  };

  const paintEvenPips = (form) => {
    const pips = form.querySelector('[name="pips_a"]')?.value;
    form.classList.toggle("has-even-pips", pips === "18");
  };

  // Fouls: rows are used from the first on; the third of a team ends the game.

  const foulRows = (form) => [...form.querySelectorAll("[data-foul-row]")];

  const readFouls = (form) =>
    foulRows(form)
      .map((row) => ({
        side: row.querySelector("input[type=radio]:checked")?.value ?? "",
        corrected: row.querySelector("input[type=checkbox]").checked,
      }))
      .filter((foul) => foul.side);

  const writeFouls = (form, fouls) => {
    foulRows(form).forEach((row, index) => {
      const foul = fouls[index] ?? { side: "", corrected: false };
      choose(form, row.querySelector("input[type=radio]").name, foul.side);
      row.querySelector("input[type=checkbox]").checked = foul.corrected;
    });
  };

  const paintFouls = (form, state) => {
    const fouls = readFouls(form);
    writeFouls(form, fouls);
    foulRows(form).forEach((row, index) => {
      const side = fouls[index]?.side;
      row.classList.toggle("is-used", Boolean(side));
      const name = form.querySelector(`[data-add-foul="${side}"]`)?.textContent ?? "";
      row.querySelector("[data-foul-name]").textContent = name.replace(/^\+\s*/, "");
    });
    const isThird = ["A", "B"].some((side) => {
      const before = Number(form.dataset[side === "A" ? "foulsA" : "foulsB"]);
      const counts = (foul) => !foul.corrected || form.dataset.correctedCounts === "true";
      return before + fouls.filter((f) => f.side === side && counts(f)).length >= 3;
    });
    const box = form.querySelector('[name="abandoned"]');
    if (isThird && !state.isThird) box.checked = true;
    if (!isThird && state.isThird) box.checked = false;
    state.isThird = isThird;
    form.querySelector(".abandoned").classList.toggle("is-offered", isThird || box.checked);
    const isFull = fouls.length === foulRows(form).length;
    for (const button of form.querySelectorAll("[data-add-foul]")) {
      button.disabled = isFull || (isThird && box.checked);
    }
  };

  // Whatever has the focus must not lie under the bar, which grows with its answer.

  const watch = new ResizeObserver(([entry]) => {
    const isBelow = getComputedStyle(entry.target).bottom !== "auto";
    const height = isBelow ? Math.ceil(entry.borderBoxSize[0].blockSize) : 0;
    document.documentElement.style.scrollPaddingBlockEnd = `${height + 8}px`;
  });

  const adoptBar = (form) => {
    watch.disconnect();
    watch.observe(form.querySelector("[data-save-bar]"));
  };

  // What a tap has opened must be seen, also when the answer makes the bar grow.

  let opened = null;

  const openable = (form) =>
    [...form.querySelectorAll(".only-even-mattis, [data-foul-row]")].filter(
      (part) => part.offsetParent,
    );

  const reveal = () => {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    opened?.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  };

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "answer") return;
    requestAnimationFrame(() => {
      reveal();
      opened = null;
    });
  });

  // One form's life, from when it is shown until another takes its place.

  const states = new WeakMap();

  const paint = (form) => {
    const state = states.get(form);
    followNoTricks(form, state);
    paintSuits(form, state);
    paintEvenPips(form);
    paintFouls(form, state);
    state.values = new Map(
      [...form.querySelectorAll("input[type=radio]:checked")].map((r) => [r.name, r.value]),
    );
  };

  const adopt = (form) => {
    states.set(form, {
      order: readOrder(form),
      filled: new Map(),
      noTricks: chosen(form, "no_tricks"),
      isThird: form.querySelector('[name="abandoned"]').checked,
      values: new Map(),
      open: [],
    });
    paint(form);
    states.get(form).open = openable(form);
    adoptBar(form);
  };

  const touched = (form) => {
    const state = states.get(form);
    paint(form);
    const open = openable(form);
    opened = open.find((part) => !state.open.includes(part)) ?? opened;
    state.open = open;
    reveal();
    form.dispatchEvent(new CustomEvent("komppa:typed", { bubbles: true }));
  };

  // A second tap takes the choice back.

  const takeBack = (form, input) => {
    if (!input?.value || states.get(form).values.get(input.name) !== input.value) return false;
    choose(form, input.name, "");
    touched(form);
    return true;
  };

  // The space bar is no tap on what is chosen already, and must choose nothing again.

  let taken = null;

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.("[data-deal-form]");
    if (event.key !== " " || event.repeat || !form || !states.has(form)) return;
    taken = takeBack(form, event.target.closest("input[type=radio]")) ? event.target : null;
    if (taken) event.preventDefault();
  });

  document.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target === taken) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const form = event.target.closest?.("[data-deal-form]");
    if (!form || !states.has(form)) return;
    if (takeBack(form, event.target.closest("input[type=radio]"))) return;
    const add = event.target.closest("[data-add-foul]");
    if (add) {
      writeFouls(form, [...readFouls(form), { side: add.dataset.addFoul, corrected: false }]);
      touched(form);
    }
    const remove = event.target.closest("[data-remove-foul]");
    if (remove) {
      const index = foulRows(form).indexOf(remove.closest("[data-foul-row]"));
      writeFouls(form, readFouls(form).filter((_foul, at) => at !== index));
      touched(form);
    }
  });

  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("[data-deal-form]");
    if (form && states.has(form) && event.target.type !== "number") touched(form);
  });

  document.addEventListener("input", (event) => {
    const form = event.target.closest?.("[data-deal-form]");
    if (!form || !states.has(form) || event.target.type !== "number") return;
    followCount(event.target);
    touched(form);
  });

  // An answer to older facts must not pass for one to these.

  let typed = 0;
  const askedAt = new WeakMap();

  document.addEventListener("komppa:typed", () => {
    typed += 1;
    document.getElementById("answer")?.classList.add("is-waiting");
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    askedAt.set(event.detail.xhr, typed);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (target.id !== "answer") return;
    const isAnswer = xhr.responseURL.endsWith("/preview/");
    if (!isAnswer || askedAt.get(xhr) !== typed) event.detail.shouldSwap = false;
    else target.classList.remove("is-waiting");
  });

  window.komppaSheet = { adopt, touched };
  const form = document.querySelector("[data-deal-form]");
  if (form) adopt(form);
})();
