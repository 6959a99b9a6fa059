// Pages that stay current: one stream from the server, HTML that was made and escaped there.
const data = document.body.dataset;
const note = document.getElementById("live-note");

function address() {
  const query = new URLSearchParams();
  if (data.session) {
    query.set("id", data.session);
    query.set("after", data.after || "0");
  }
  return `${data.live}?${query}`;
}

function fragment(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html.trim();
  return holder.content;
}

function refresh(element) {
  element?.classList.add("fresh");
  setTimeout(() => element?.classList.remove("fresh"), 1500);
}

function onWaiting(told) {
  const list = document.getElementById("waiting");
  if (list) list.replaceChildren(fragment(told.html));
  const count = document.getElementById("waiting-count");
  count.textContent = told.count;
  count.hidden = told.count === 0;
  document.title = document.title.replace(/^\(\d+\) /, "");
  if (told.count) document.title = `(${told.count}) ${document.title}`;
}

function onRow(told) {
  const rows = document.getElementById("session-rows");
  if (!rows) return;
  const holder = document.createElement("template");
  holder.innerHTML = told.html.trim();
  const row = holder.content.querySelector("tr");
  const known = [...rows.children].find((each) => each.dataset.session === told.session);
  if (known) known.replaceWith(row);
  else if (data.rows === "top") rows.prepend(row);
  else return;
  refresh(row);
}

function onEvents(told) {
  const list = document.getElementById("events");
  for (const each of told.rows) {
    list.prepend(fragment(each.html));
    refresh(list.firstElementChild);
  }
  document.getElementById("head").replaceChildren(fragment(told.head));
  document.getElementById("chart").replaceChildren(fragment(told.chart));
  document.getElementById("shown-events").textContent = `${list.querySelectorAll(":scope > .event").length} on this page, live`;
}

if (data.live) {
  const stream = new EventSource(address());
  stream.addEventListener("open", () => { note.textContent = "live"; });
  stream.addEventListener("error", () => { note.textContent = "not connected; tries again"; });
  stream.addEventListener("waiting", (event) => onWaiting(JSON.parse(event.data)));
  stream.addEventListener("row", (event) => onRow(JSON.parse(event.data)));
  stream.addEventListener("events", (event) => onEvents(JSON.parse(event.data)));
  addEventListener("pagehide", () => stream.close());
}
