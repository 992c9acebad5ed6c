import type { FormField } from "./form-fields.ts";
import type { FormLook } from "./form-look.ts";
import type { FormView } from "./form-page.ts";
import { PRIVATE_HEADERS } from "#pages/page-headers.ts";
import type { Language } from "#texts/language.ts";
import { textsIn } from "#texts/texts.ts";

export type EmbedView = Pick<FormView, "formName" | "fields" | "look" | "seal" | "trapName"> & {
  readonly formId: string;
  readonly language: Language;
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
    fields: fields.map((field) => shownField(field, page.optional)),
    seal: [seal.name, seal.value],
    trapName,
    waitMs,
    thanks,
    note,
    css: css(look).replaceAll("\n", ""),
    lang: language,
    trap: form.trap,
    failed: form.failed,
    offline: form.offline,
  };
  return new Response(`(${SMALL_CODE})(${literal(config)});\n`, {
    headers: {
      ...PRIVATE_HEADERS,
      "Content-Type": "text/javascript; charset=utf-8",
      // Cross-origin isolated sites load only what carries this header.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    },
  });
}

/** A field as the script makes it, with the attributes of its `<input>`. Errors belong to the address, as on the page. */
const shownField = (
  { name, label, type, autocomplete, maxLength, isRequired }: FormField,
  optional: string,
) => ({
  label,
  note: isRequired ? "" : ` ${optional}`,
  input: {
    id: `field-${name}`,
    name,
    type,
    autocomplete,
    maxlength: maxLength,
    ...(isRequired && { required: "", "aria-describedby": "error" }),
  },
});

/** JSON that is safe inside a script, even if somebody pastes the script into a page. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Contains only our own numbers and colours. A form without a background of its own shows the page's. Our languages
 * are read from the left, whatever the page's is; a sender's own words in Arabic from the right (`plaintext`).
 */
function css({ button, onButton, card, cornerRadiusPx, fontSizePx }: FormLook): string {
  const ground = card === null ? "" : `background:${card.ground};color:${card.ink};padding:1.25em;`;
  const line = card === null ? "#767f8d" : card.line;
  const field = card === null ? "#fff;color:#1b2430" : `${card.ground};color:${card.ink}`;
  const ring = card === null ? "currentColor" : card.ink;
  return `:host{display:block;font-size:${fontSizePx}px;line-height:1.5;text-align:left}
*{box-sizing:border-box;border-radius:${cornerRadiusPx}px;unicode-bidi:plaintext}
form,.done{max-width:30em;${ground}direction:ltr;white-space:normal;overflow-wrap:anywhere}
form{position:relative}p,input{margin:0 0 .75em}.done p:last-child{margin:0}
label{display:block;margin:0 0 .25em;font-weight:600}label span{font-weight:400}
input,button{width:100%;min-height:2.75em;border:1px solid ${line};font:inherit}
input{display:block;padding:.5em .75em;background:${field};font-size:max(1em,16px)}
button{padding:.5em 1.25em;border-color:transparent;background:${button};color:${onButton};font-weight:600;cursor:pointer}
button[aria-disabled=true]{opacity:.7;cursor:default}
:focus-visible{outline:3px solid ${ring};outline-offset:2px}
[role=alert]:empty{display:none}[role=alert]{padding:.5em .75em;border:1px solid #b3261e;background:#fdeceb;color:#7f1d17}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}`;
}

/**
 * Runs on another site's page. It reads nothing there and stores nothing. It builds its elements one by one,
 * so that no text of a form is ever read as markup. A shadow root separates the page's style from the form's.
 * The style is a sheet, which strict policies allow; Safari before 16.4 and Firefox before 101 make none.
 * Frameworks make a named place after the script ran, or put another in its stead. So the page is watched for as long as
 * the script is in it. Forms are made a moment later, so that a site that clears the place at once is not held up. Where no
 * place is named yet, the form stands after the script, and moves to the first that comes, with what was typed.
 * The form itself is asked for nothing, because its fields hide what has the same name.
 */
const CODE = `function (c) {
  "use strict";
  const me = document.currentScript;
  const url = me && me.src;
  if (!url) return console.error("Postrider: embed.js needs a plain script tag, not a module.");
  const waited = new Promise((done) => setTimeout(done, c.waitMs));
  const el = (tag, given, ...children) => {
    const made = document.createElement(tag);
    Object.entries(given).forEach((pair) => made.setAttribute(...pair));
    made.append(...children);
    return made;
  };
  const make = () => {
    const host = el("div", { lang: c.lang });
    const root = host.attachShadow({ mode: "open" });
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(c.css);
      root.adoptedStyleSheets = [sheet];
    } catch {
      root.append(el("style", {}, c.css));
    }
    const alert = el("p", { role: "alert", id: "error" });
    const button = el("button", { type: "submit" }, c.button);
    const inputs = c.fields.map(({ input }) => el("input", input));
    const labels = c.fields.map(({ label, input, note }) => el("label", { for: input.id }, label, el("span", {}, note)));
    const trap = el("div", { class: "trap", "aria-hidden": "true" },
      el("label", {}, c.trap + " ", el("input", { name: c.trapName, tabindex: "-1", autocomplete: "off" })));
    const form = el("form", { "aria-label": c.name }, ...inputs.flatMap((input, i) => [labels[i], input]), trap, alert, button);
    root.append(form);
    let busy;
    const say = (text) => { alert.textContent = text; };
    const send = async () => {
      const body = new URLSearchParams(new FormData(form));
      body.set(...c.seal);
      await waited;
      const answer = await fetch(new URL("../../api/forms/" + c.id + "/submit", url), {
        method: "POST", body, credentials: "omit", referrerPolicy: "no-referrer" });
      const said = await answer.json();
      if (!answer.ok) return say(typeof said.error === "string" ? said.error : c.failed);
      const done = el("div", { class: "done", role: "status", tabindex: "-1" }, el("p", {}, c.thanks));
      if (c.note) done.append(el("p", {}, c.note));
      root.replaceChild(done, form);
      done.focus();
    };
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      button.setAttribute("aria-disabled", "true");
      say("");
      send().catch(() => say(c.offline)).finally(() => {
        busy = false;
        button.removeAttribute("aria-disabled");
      });
    });
    return host;
  };
  const named = '[data-postrider-form="' + c.id + '"]';
  let own, timer;
  const fill = () => {
    timer = 0;
    for (const place of document.querySelectorAll(named)) if (![...place.children].some((child) => child.shadowRoot)) {
      place.append(own || make());
      own = 0;
    }
  };
  const show = () => {
    if (document.querySelector(named)) fill();
    else if (me.closest("body")) me.after(own = make());
    else console.warn("Postrider: waits for " + named);
    const watch = new MutationObserver(() => {
      if (!me.isConnected) watch.disconnect();
      else if (!timer) timer = setTimeout(fill, 50);
    });
    watch.observe(document, { childList: true, subtree: true });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
}`;

/** None of its texts has a space at these characters, and every statement ends with a semicolon. */
const SMALL_CODE = CODE.replaceAll(/\n *| ?(=>|[={}]) ?/g, "$1");
