"use strict";

// The pages work without this. With it, a reply is shown while it comes, and times are those of the browser's place.
(() => {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) {
      const form = { dateStyle: "medium", timeStyle: "short" };
      time.textContent = at.toLocaleString(document.documentElement.lang, form);
    }
  }

  const form = document.getElementById("say");
  if (!form) {
    return;
  }
  const words = form.dataset;
  const by = (id) => document.getElementById(id);
  const [log, field, abort, doing, problem] = ["log", "message", "abort", "doing", "problem"].map(by);
  const send = form.querySelector("button[type=submit]");
  const [more, files] = ["more", "pictures"].map(by);
  const conversation = form.elements.namedItem("c");
  let running = null;

  const make = (name, kind, text) => {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    return made;
  };

  const isAtEnd = () => window.innerHeight + window.scrollY > document.documentElement.scrollHeight - 160;
  const toEnd = () => window.scrollTo(0, document.documentElement.scrollHeight);
  // Changes the page, and stays at its end where the person is there.
  const change = (how) => {
    const stays = isAtEnd();
    how();
    if (stays) {
      toEnd();
    }
  };

  const say = (who, kind, text) => {
    const message = make("article", `message ${kind}`, "");
    message.append(make("p", "who", who), make("div", "text plain", text));
    log.querySelector(".empty")?.remove();
    log.append(message);
    return message;
  };

  const fail = (text) => {
    problem.replaceChildren(make("p", "", text));
  };

  // The events of a stream, one after the other.
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      received += value;
      const whole = received.split("\n\n");
      received = whole.pop();
      for (const event of whole) {
        const lines = event.split("\n");
        const of = (start) => lines.find((line) => line.startsWith(start))?.slice(start.length).trim();
        const [name, data] = [of("event:"), of("data:")];
        if (name && data) {
          yield [name, JSON.parse(data)];
        }
      }
    }
  }

  // Why a request was refused, in the server's own words where it has some.
  const reason = async (response) => {
    const body = await response.json().catch(() => null);
    return body?.error?.message ?? `${words.broken} (${response.status})`;
  };

  // What the gate asks about a call: its facts, and what the assistant wrote, each as plain text.
  const question = (data) => {
    const made = make("section", "question", "");
    made.setAttribute("role", "alertdialog");
    made.setAttribute("aria-label", words.asked);
    made.append(make("p", "who", words.asked));
    const facts = make("dl", "", "");
    const written = JSON.stringify(data.arguments, null, 1).replace(/^[{}]\n?|\n?[}]$/g, "");
    const values = [data.tool, data.skill, data.risk, data.reason, data.to, written, data.untyped.join(" ")];
    words.facts.split("|").forEach((name, n) => {
      if (values[n]) {
        facts.append(make("dt", "", name), make("dd", "plain", values[n]));
      }
    });
    made.append(facts);
    for (const [word, yes] of [[words.no, false], [words.yes, true]]) {
      const button = make("button", yes ? "" : "quiet", word);
      button.type = "button";
      button.addEventListener("click", async () => {
        made.querySelectorAll("button").forEach((one) => (one.disabled = true));
        const response = await fetch("/page/answer", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ question: data.question, yes }),
        }).catch(() => null);
        if (!response?.ok) {
          fail(response ? await reason(response) : words.broken);
        }
      });
      made.append(button);
    }
    return made;
  };

  // A name as people may read it: nothing in it is invisible or turns the direction.
  const visible = (name) =>
    name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);

  // A picture as the server takes it: its name, and its bytes in base64.
  const read = (file) =>
    new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve({ name: file.name, data: reader.result.replace(/^[^,]*,/, "") });
      reader.onerror = () => reject(new Error(`${visible(file.name)}: ${reader.error.message}`));
      reader.readAsDataURL(file);
    });

  const isText = (file) => /\.(txt|md|csv|json)$/i.test(file.name);

  // Says how many files are chosen, where they are out of sight.
  const count = () => {
    const chosen = files.files.length;
    more.querySelector("summary").textContent = chosen ? `${words.files} (${chosen})` : words.files;
  };

  const drop = () => {
    files.value = "";
    more.open = false;
    count();
  };

  const talk = async (text, chosen, reply) => {
    const shown = reply.querySelector(".text");
    const notes = new Set();
    const note = (text) => {
      if (!notes.has(text)) {
        notes.add(text);
        reply.append(make("p", "note", text));
      }
    };
    const pictures = await Promise.all(chosen.filter((file) => !isText(file)).map(read));
    const wanted = chosen.filter(isText).map(async (file) => ({ name: file.name, text: await file.text() }));
    const texts = await Promise.all(wanted);
    const response = await fetch("/page/stream", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ message: text, conversation_id: conversation.value || null, pictures, texts }),
      signal: running.signal,
    });
    if (!response.ok) {
      if (response.status === 401) {
        window.location.assign("/login");
      }
      if (response.status === 404) {
        // The conversation is gone; the next try begins one.
        conversation.value = "";
      }
      throw new Error(await reason(response));
    }
    for await (const [name, data] of events(response.body)) {
      if (name === "error") {
        if (data.code === "not_found") {
          // The conversation is gone; the next try begins one.
          conversation.value = "";
        }
        throw new Error(data.message);
      }
      reply.querySelector(".question")?.remove();
      if (name === "question") {
        change(() => reply.append(question(data)));
        reply.querySelector(".question button").focus({ preventScroll: true });
        continue;
      }
      change(() => {
        if (name === "piece") {
          shown.textContent += data.text;
        } else if (name === "again") {
          shown.textContent = "";
        } else if (name === "doing") {
          doing.textContent = data.text || words.waiting;
        } else if (name === "note") {
          note(data.text);
        } else if (name === "done") {
          const safe = document.createElement("template");
          safe.innerHTML = data.html;
          shown.replaceChildren(safe.content);
          shown.className = "text";
          data.notes.forEach(note);
          conversation.value = data.conversation_id;
          if (data.kept) {
            window.history.replaceState(null, "", `/?c=${encodeURIComponent(data.conversation_id)}`);
          }
        }
      });
      if (name === "done") {
        return;
      }
    }
    throw new Error(words.broken);
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value;
    if (running || text.trim() === "") {
      return;
    }
    const chosen = [...files.files];
    const [texts, pictures] = [true, false].map((kind) => chosen.filter((file) => isText(file) === kind));
    const bytes = pictures.reduce((sum, file) => sum + file.size, 0);
    const isLong = texts.some((file) => file.size > Number(words.longest));
    const most = Math.max(texts.length, pictures.length);
    if (most > Number(words.most) || bytes > Number(words.bytes) || isLong) {
      fail(words.tooMuch);
      return;
    }
    running = new AbortController();
    problem.replaceChildren();
    doing.textContent = words.waiting;
    const mine = say(words.you, "mine", text);
    for (const file of chosen) {
      mine.append(make("p", "note", `${visible(file.name)}, ${Math.ceil(file.size / 1000)} KB`));
    }
    log.setAttribute("aria-busy", "true");
    const reply = say(words.bot, "coming", "");
    field.value = "";
    send.disabled = true;
    abort.hidden = false;
    toEnd();
    try {
      await talk(text, chosen, reply);
      drop();
    } catch (error) {
      if (!reply.querySelector(".text").textContent) {
        // Nothing came: the line goes back to where it can be sent again.
        mine.remove();
        reply.remove();
        field.value ||= text;
      } else {
        drop();
      }
      fail(error.name === "AbortError" ? words.aborted : error.name === "TypeError" ? words.broken : error.message);
    }
    running = null;
    reply.classList.remove("coming");
    log.removeAttribute("aria-busy");
    doing.textContent = "";
    send.disabled = false;
    abort.hidden = true;
    if (document.activeElement === document.body) {
      field.focus({ preventScroll: true });
    }
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  files.addEventListener("change", count);
  count();
  abort.addEventListener("click", () => running?.abort());
  by("keys").hidden = false;
  if (log.querySelector(".message")) {
    toEnd();
  }
})();
