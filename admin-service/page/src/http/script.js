"use strict";

// The pages work without this, but for signing. With it, times are those of the browser's place.
(() => {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) {
      const form = { dateStyle: "medium", timeStyle: "short" };
      time.textContent = at.toLocaleString(document.documentElement.lang, form);
    }
  }

  const by = (id) => document.getElementById(id);
  const signing = by("signing");
  if (!signing) {
    return;
  }
  const words = signing.dataset;
  const [sign, to, doing, problem, result] = ["sign", "to", "doing", "problem", "result"].map(by);
  // How long the signing page may take to answer, in milliseconds.
  const PATIENCE = 20000;
  // What is being signed: the other tab, and the request for it.
  let current = null;

  const make = (name, text) => {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  };

  const say = (text) => {
    problem.replaceChildren();
    doing.textContent = text;
  };

  const fail = (text) => {
    doing.textContent = "";
    problem.replaceChildren(make("p", text));
    sign.disabled = false;
    if (document.activeElement === document.body) {
      // A button that was disabled has lost the focus.
      sign.focus({ preventScroll: true });
    }
  };

  // Asks the server; what goes wrong is thrown in its own words where it has some.
  const ask = async (path, how) => {
    const response = await fetch(words.item + path, how).catch(() => null);
    if (!response?.ok) {
      const body = await response?.json().catch(() => null);
      throw new Error(body?.error?.message ?? words.broken);
    }
    return response;
  };

  // Gives the request to the signing page, once both are there.
  const give = (one) => {
    if (one.isReady && one.request !== null && !one.isGiven) {
      one.isGiven = true;
      one.page.postMessage({ tameclaw: "request", request: one.request }, words.origin);
      say(words.look);
    }
  };

  const prepare = async (one) => {
    const wanted = new URLSearchParams({ seen: words.seen });
    if (to) {
      wanted.set("to", to.value);
    }
    try {
      const response = await ask(`/request?${wanted}`);
      one.request = await response.text();
    } catch (error) {
      if (one === current) {
        current = null;
        one.page.close();
        fail(error.message);
      }
      return;
    }
    if (one === current) {
      give(one);
    }
  };

  // Says where the other tab does not answer, or is gone. An answer that comes later counts all the same.
  const watch = (one) => {
    const start = Date.now();
    const timer = setInterval(() => {
      const isLate = !one.isReady && Date.now() - start > PATIENCE;
      if (one !== current || one.isAnswered) {
        clearInterval(timer);
      } else if (one.page.closed || isLate) {
        clearInterval(timer);
        fail(one.isReady ? words.closed : words.silent);
      }
    }, 1000);
  };

  const decide = async (one, answer) => {
    say(words.sending);
    try {
      const { text } = JSON.parse(one.request).statements[0];
      const how = {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text, answer }),
      };
      const response = await ask("/decide", how);
      const { done } = await response.json();
      const back = make("a", words.back);
      back.href = "/";
      result.replaceChildren(make("p", done), back);
      by("decision").remove();
      result.focus();
    } catch (error) {
      current = null;
      fail(error.name === "Error" ? error.message : words.broken);
    }
  };

  sign.addEventListener("click", () => {
    // A browser lets a page open another one within the click alone.
    const page = window.open(words.origin, "_blank");
    if (!page) {
      fail(words.blocked);
      return;
    }
    current?.page.close();
    current = { page, request: null, isReady: false, isGiven: false, isAnswered: false };
    sign.disabled = true;
    say(words.preparing);
    prepare(current);
    watch(current);
  });

  window.addEventListener("message", ({ source, origin, data }) => {
    const one = current;
    if (!one || source !== one.page || origin !== words.origin) {
      return;
    }
    if (data?.tameclaw === "ready") {
      one.isReady = true;
      give(one);
    } else if (data?.tameclaw === "answer" && typeof data.answer === "string" && one.isGiven && !one.isAnswered) {
      one.isAnswered = true;
      decide(one, data.answer);
    }
  });

  by("unscripted").hidden = true;
  signing.hidden = false;
})();
