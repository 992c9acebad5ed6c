import type { FormField } from "./form-fields.ts";
import type { FormLook } from "./form-look.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import type { Language } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";

export type EmbedView = {
  readonly formId: string;
  readonly formName: string;
  readonly fields: readonly FormField[];
  readonly look: FormLook;
  readonly language: Language;
  /** Holds the time when the form was shown, sealed. */
  readonly seal: { readonly name: string; readonly value: string };
  /** The name of a field that people cannot see. */
  readonly trapName: string;
  /**
   * How long the script waits before it sends a form that was filled in too fast, so that it is not refused.
   */
  readonly waitMs: number;
  /** The text after a sign-up. */
  readonly thanks: string;
  /** Shown below that text. */
  readonly note: string | null;
};

/**
 * The script of one form. `<script src="…/forms/ID/embed.js" async></script>` puts the form in its own place
 * on the page.
 */
export function embedScript(view: EmbedView): Response {
  const { look, fields, seal, trapName, waitMs, thanks, note, formId, formName, language } = view;
  const { form, page } = textsIn(language);
  const config = {
    id: formId,
    name: formName,
    button: look.buttonText,
    fields,
    seal,
    trapName,
    waitMs,
    thanks,
    note,
    css: css(look),
    lang: language,
    texts: { optional: page.optional, trap: form.trap, failed: form.failed, offline: form.offline },
  };
  return new Response(`(${CODE.replaceAll(/\n +/g, "\n")})(${literal(config)});\n`, {
    headers: {
      ...PRIVATE_HEADERS,
      "Content-Type": "text/javascript; charset=utf-8",
      // Cross-origin isolated sites load only what carries this header.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
}

/** JSON that is safe inside a script, even if somebody pastes the script into a page. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Contains only our own numbers and colours. A form without a background of its own shows the page's. */
function css({ button, onButton, card, cornerRadiusPx, fontSizePx }: FormLook): string {
  const ground = card === null ? "" : `background:${card.ground};color:${card.ink};padding:1.25em;`;
  const line = card === null ? "#767f8d" : card.line;
  const field = card === null ? "#fff;color:#1b2430" : `${card.ground};color:${card.ink}`;
  const ring = card === null ? "currentColor" : card.ink;
  return `:host{display:block;font-size:${fontSizePx}px;line-height:1.5;text-align:left}
*{box-sizing:border-box}
form,.done{max-width:30em;${ground}border-radius:${cornerRadiusPx}px;overflow-wrap:anywhere}
form{position:relative}p{margin:0 0 .75em}.done p:last-child{margin:0}
label{display:block;margin:0 0 .25em;font-weight:600}label span{font-weight:400}
input,button{width:100%;min-height:2.75em;border:1px solid ${line};border-radius:${cornerRadiusPx}px;font:inherit}
input{display:block;margin:0 0 .75em;padding:.5em .75em;background:${field};font-size:max(1em,16px)}
button{padding:.5em 1.25em;border-color:transparent;background:${button};color:${onButton};font-weight:600;cursor:pointer}
button[aria-disabled=true]{opacity:.7;cursor:default}
:focus-visible{outline:3px solid ${ring};outline-offset:2px}
[role=alert]:empty{display:none}[role=alert]{padding:.5em .75em;border:1px solid #b3261e;border-radius:${cornerRadiusPx}px;background:#fdeceb;color:#7f1d17}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}`;
}

/**
 * Runs on another site's page. It reads nothing there and stores nothing. It builds its elements one by one,
 * so that no text of a form is ever read as markup. A shadow root separates the page's style from the form's.
 * The style is a sheet, which strict policies allow; Safari before 16.4 and Firefox before 101 make none.
 */
const CODE = `function (c) {
  "use strict";
  const me = document.currentScript;
  const url = me && me.src;
  if (!url) return console.error("Postrider: embed.js needs a plain script tag, not a module.");
  const startedAt = performance.now();
  const el = (tag, given, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given || {})) if (value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...children);
    return made;
  };
  const show = () => {
    const host = el("div", { lang: c.lang });
    const place = document.querySelector('[data-postrider-form="' + c.id + '"]');
    if (place) place.append(host);
    else if (me.closest("body")) me.after(host);
    else return console.error('Postrider: put the script where the form shall appear, or a <div data-postrider-form="' + c.id + '"> there.');
    const root = host.attachShadow({ mode: "open" });
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(c.css);
      root.adoptedStyleSheets = [sheet];
    } catch {
      root.append(el("style", null, c.css));
    }
    const alert = el("p", { role: "alert", id: "error" });
    const button = el("button", { type: "submit" }, c.button);
    const inputs = c.fields.map((f) =>
      el("input", { id: "field-" + f.name, name: f.name, type: f.type, autocomplete: f.autocomplete, maxlength: f.maxLength, required: f.isRequired }));
    const labels = c.fields.map((f) => el("label", { for: "field-" + f.name }, f.label, f.isRequired ? "" : el("span", null, " " + c.texts.optional)));
    const trap = el("div", { class: "trap", "aria-hidden": "true" },
      el("label", null, c.texts.trap + " ", el("input", { name: c.trapName, tabindex: "-1", autocomplete: "off" })));
    const form = el("form", { "aria-label": c.name }, ...inputs.flatMap((input, i) => [labels[i], input]), trap, alert, button);
    root.append(form);
    let busy = false;
    const say = (text) => {
      alert.textContent = text;
      if (text) inputs[0].setAttribute("aria-describedby", "error");
    };
    const send = async () => {
      const body = new URLSearchParams(new FormData(form));
      body.set(c.seal.name, c.seal.value);
      await new Promise((done) => setTimeout(done, c.waitMs - performance.now() + startedAt));
      const answer = await fetch(new URL("../../api/forms/" + c.id + "/submit", url), {
        method: "POST", body, credentials: "omit", referrerPolicy: "no-referrer", headers: { Accept: "application/json" } });
      const said = await answer.json();
      if (!answer.ok) return say(typeof said.error === "string" ? said.error : c.texts.failed);
      const done = el("div", { class: "done", role: "status", tabindex: "-1" }, el("p", null, c.thanks));
      if (c.note) done.append(el("p", null, c.note));
      form.replaceWith(done);
      done.focus();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      button.setAttribute("aria-disabled", "true");
      say("");
      send().catch(() => say(c.texts.offline)).finally(() => {
        busy = false;
        button.removeAttribute("aria-disabled");
      });
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
}`;
