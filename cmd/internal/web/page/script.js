// What the pages of the memory browser do beyond being read: the tree opens in place, the search
// answers while one types, keys, drafts, and pages that follow the vault. Each page works without it.
"use strict";
(() => {
  const $ = (s, at = document) => at.querySelector(s);
  const all = (s, at = document) => [...at.querySelectorAll(s)];
  const still = document.body.hasAttribute("data-still");
  const say = (text) => { $("#live").textContent = text; };

  // The tree: a branch is fetched when it is opened for the first time.
  const fragment = async (address) => {
    const r = await fetch(address);
    if (!r.ok) throw new Error(r.status);
    return new DOMParser().parseFromString(await r.text(), "text/html").body.childNodes;
  };
  document.addEventListener("toggle", async (e) => {
    const d = e.target;
    if (!d.open || !d.dataset || !d.dataset.tree) return;
    const address = d.dataset.tree;
    delete d.dataset.tree;
    try {
      const nodes = await fragment(address);
      d.replaceChildren($("summary", d), ...nodes);
    } catch { d.dataset.tree = address; d.open = false; say("The branch could not be opened."); }
  }, true);
  document.addEventListener("click", async (e) => {
    const a = e.target.closest && e.target.closest("a[data-tree]");
    if (!a || e.metaKey || e.ctrlKey || e.shiftKey || e.button) return;
    e.preventDefault();
    try {
      const nodes = await fragment(a.dataset.tree);
      const own = a.search.includes("offset") && [...nodes];
      const p = a.parentElement;
      p.replaceWith(...own);
    } catch { location.href = a.href; }
  });

  // Search as you type. An answer to other text than what stands there now is dropped.
  const q = $("#q"), list = $("#jump");
  let asking = null, timer = 0, fullTimer = 0, at = -1;
  const mark = (to, text, words) => {
    const low = text.toLowerCase();
    let from = 0;
    while (from < text.length) {
      let next = -1, word = "";
      for (const w of words) {
        const i = low.indexOf(w, from);
        if (i >= 0 && (next < 0 || i < next)) { next = i; word = w; }
      }
      if (next < 0 || low.length !== text.length) break;
      to.append(text.slice(from, next));
      const m = document.createElement("mark");
      m.textContent = text.slice(next, next + word.length);
      to.append(m);
      from = next + word.length;
    }
    to.append(text.slice(from));
  };
  const rows = (hits, said, words) => {
    const part = document.createElement("div"), p = document.createElement("p");
    p.textContent = said;
    part.append(p);
    for (const h of hits) {
      const a = document.createElement("a"), small = document.createElement("small");
      a.href = h.href;
      a.dir = "auto";
      mark(a, h.title, words);
      small.textContent = " " + (h.project ? h.project + " · " : "") + (h.summary || "");
      a.append(small);
      part.append(a);
    }
    return part;
  };
  const ask = async (address, text, show) => {
    try {
      const r = await fetch(address, { signal: asking.signal });
      if (r.ok) { const found = await r.json(); if (q.value.trim() === text) show(found); }
    } catch (e) { if (e.name !== "AbortError") say("The search did not answer."); }
  };
  const typed = () => {
    const text = q.value.trim(), words = text.toLowerCase().split(/\s+/);
    clearTimeout(timer); clearTimeout(fullTimer);
    if (asking) asking.abort();
    asking = new AbortController();
    at = -1;
    if (text.length < 2) { list.replaceChildren(); return; }
    let first = null, second = null;
    const draw = () => { list.replaceChildren(...[first, second].filter(Boolean)); };
    timer = setTimeout(() => ask("/jump.json?q=" + encodeURIComponent(text), text, (found) => {
      if (found.q.trim() !== text) return;
      first = rows(found.hits, "In titles, phrases and paths", words);
      draw();
      say(found.hits.length + " found");
    }), 60);
    fullTimer = setTimeout(() => ask("/jump.json?whole=1&q=" + encodeURIComponent(text), text, (found) => {
      second = rows(found.hits, "Whole words, also in texts", words);
      draw();
    }), 250);
  };
  q.addEventListener("input", typed);
  q.addEventListener("keydown", (e) => {
    const links = all("a", list);
    if (e.key === "Escape") { list.replaceChildren(); q.blur(); }
    if (!links.length || (e.key !== "ArrowDown" && e.key !== "ArrowUp")) return;
    e.preventDefault();
    links[e.key === "ArrowDown" ? 0 : links.length - 1].focus();
  });
  list.addEventListener("keydown", (e) => {
    const links = all("a", list), i = links.indexOf(document.activeElement);
    if (e.key === "Escape") { list.replaceChildren(); q.focus(); }
    if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
    e.preventDefault();
    const to = links[i + (e.key === "ArrowDown" ? 1 : -1)];
    (to || q).focus();
  });
  document.addEventListener("click", (e) => { if (!e.target.closest("header form")) list.replaceChildren(); });

  // Keys. The table in the page says which there are.
  const keys = {};
  for (const tr of all("dialog tr[data-do]")) keys[tr.dataset.keys] = tr.dataset.do;
  const memoryRows = () => all("main .rows > li");
  const step = (by) => {
    const rows = memoryRows();
    if (!rows.length) return;
    at = Math.max(0, Math.min(rows.length - 1, at + by));
    rows.forEach((r, i) => r.classList.toggle("at", i === at));
    const a = $("a", rows[at]);
    if (a) a.focus();
  };
  const follow = (s) => { const a = $(s); if (a) location.href = a.href; };
  const act = {
    search: () => q.focus(), next: () => step(1), previous: () => step(-1),
    parent: () => follow("#parent"), edit: () => follow("#edit"), history: () => follow("#history"),
    review: () => { location.href = "/review"; }, graph: () => follow("#graph"),
    tree: () => { const t = $("#tree"); if (t) { const a = $("a[aria-current]", t); (a || t).focus(); } },
    help: () => $("dialog#keys").showModal(),
  };
  const off = () => localStorage.getItem("keys") === "off";
  let before = "";
  document.addEventListener("keydown", (e) => {
    if (off() || e.metaKey || e.ctrlKey || e.altKey || e.isComposing) return;
    if (e.target.closest("input, textarea, select, dialog")) return;
    const name = keys[before + " " + e.key] || keys[e.key];
    before = before ? "" : e.key;
    if (!name || !act[name]) return;
    before = "";
    e.preventDefault();
    act[name]();
  });
  const button = $("#nokeys");
  if (button) {
    const word = () => { button.textContent = off() ? "Switch them on" : "Switch them off"; };
    button.hidden = false;
    word();
    button.addEventListener("click", () => { localStorage.setItem("keys", off() ? "on" : "off"); word(); });
  }

  // Drafts: what is typed stays in the tab until it is saved.
  const form = $("form[data-draft]");
  if (form) {
    const name = "draft " + form.dataset.draft, body = form.elements.body, hash = form.elements.hash;
    const kept = JSON.parse(sessionStorage.getItem(name) || "null");
    if (kept && kept.body !== body.value && !$(".note")) {
      const p = document.createElement("p"), b = document.createElement("button");
      p.className = "note";
      p.textContent = "There is text that you typed here and did not save. ";
      b.type = "button";
      b.textContent = "Take it back";
      b.addEventListener("click", () => { body.value = kept.body; p.remove(); body.focus(); });
      p.append(b);
      form.before(p);
    }
    body.addEventListener("input", () => sessionStorage.setItem(name, JSON.stringify({ body: body.value, hash: hash && hash.value })));
    form.addEventListener("submit", (e) => { if (e.submitter && e.submitter.value !== "preview") sessionStorage.setItem("sent", name); });
  } else if (sessionStorage.getItem("sent")) { // a page behind the form: it was saved
    sessionStorage.removeItem(sessionStorage.getItem("sent"));
    sessionStorage.removeItem("sent");
  }

  // Pages follow the vault. One tab of the browser listens and tells the others; a page that is
  // being edited is never replaced.
  let fetching = false, again = false;
  const refresh = async () => {
    if (document.hidden) { again = true; return; }
    if (fetching) { again = true; return; }
    fetching = true;
    again = false;
    try { await (still ? compare() : replace()); } catch { /* the next event tries again */ }
    fetching = false;
    if (again) refresh();
  };
  const replace = async () => {
    const r = await fetch(location.href, { headers: { "X-Again": "1" } });
    const fresh = new DOMParser().parseFromString(await r.text(), "text/html");
    const typing = document.activeElement && document.activeElement.closest("main input, main textarea, main select");
    if (!$("main", fresh) || typing) return;
    let other = false;
    for (const part of ["main", "aside"]) {
      const old = $(".cols > " + part), now = $(".cols > " + part, fresh);
      if (!old || !now || old.innerHTML === now.innerHTML) continue;
      const focused = old.contains(document.activeElement) && document.activeElement.getAttribute("href");
      old.innerHTML = now.innerHTML;
      if (focused) { const a = all("a", old).find((a) => a.getAttribute("href") === focused); if (a) a.focus(); }
      other = true;
    }
    if (other) { document.title = fresh.title; document.body.dataset.hash = fresh.body.dataset.hash || ""; say("This page has changed, and shows what is there now."); }
  };
  const compare = async () => {
    const { base, of, hash } = document.body.dataset;
    if (!of || !hash || $("#meanwhile")) return;
    const r = await fetch(base + "/m/" + encodeURIComponent(of) + ".json", { headers: { "X-Again": "1" } });
    const now = r.ok ? (await r.json()).hash : "";
    if (now === hash) return;
    const p = document.createElement("p"), a = document.createElement("a");
    p.id = "meanwhile";
    p.className = "note";
    p.setAttribute("role", "status");
    p.textContent = r.ok ? "Somebody changed this memory while you write. Your text stays; saving shows both. " : "This memory is gone. Your text stays. ";
    a.href = base + "/m/" + encodeURIComponent(of) + (r.ok ? "/diff" : "/history");
    a.target = "_blank";
    a.textContent = "What changed";
    p.append(a);
    $("h1").after(p);
  };
  const channel = "BroadcastChannel" in window ? new BroadcastChannel("cp") : null;
  const body = document.body.dataset;
  const shows = (ids) => {
    const named = new Set(all("main a[href], aside a[href]").map((a) => a.getAttribute("href").replace(/^.*\/m\//, "")));
    return ids.some((id) => id === body.of || named.has(encodeURIComponent(id)));
  };
  const told = (stamp, news) => { // a page about one memory follows that and those it names, and no other vault
    body.stamp = stamp;
    if (!body.vault || news.some((n) => n.vault === body.vault && (n.all || shows(n.ids)))) refresh();
  };
  // A tab without a stream asks the one that has it how things stand: it may have missed something.
  if (channel) channel.onmessage = ({ data }) => {
    if (data.news) told(data.stamp, data.news);
    else if (data.ask && source) channel.postMessage({ stamp: body.stamp });
    else if (data.stamp && data.stamp !== body.stamp) { body.stamp = data.stamp; refresh(); }
  };
  let source = null, leave = null;
  const listen = () => new Promise((done) => {
    source = new EventSource("/events?since=" + encodeURIComponent(body.stamp || ""));
    source.addEventListener("changed", (e) => {
      const stamp = e.lastEventId, news = JSON.parse(e.data);
      told(stamp, news);
      if (channel) channel.postMessage({ stamp, news });
    });
    source.addEventListener("open", () => document.documentElement.dataset.live = "yes");
    leave = done;
  });
  const lead = () => {
    if (document.hidden || leave) return;
    if (!navigator.locks || !channel) { listen(); return; }
    leave = () => {};
    const stop = new AbortController();
    leave = () => stop.abort();
    navigator.locks.request("cp-events", { signal: stop.signal }, listen).catch(() => {});
    channel.postMessage({ ask: true });
  };
  const close = () => { if (source) source.close(); source = null; if (leave) leave(); leave = null; };
  if (window.EventSource) {
    document.addEventListener("visibilitychange", () => { if (document.hidden) close(); else { lead(); refresh(); } });
    window.addEventListener("pagehide", close);
    window.addEventListener("pageshow", (e) => { if (e.persisted) { lead(); refresh(); } });
    lead();
  }
})();
