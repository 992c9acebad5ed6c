import { BASE_STYLE } from "#pages/layout.ts";

export const REFERENCE_STYLE = `${BASE_STYLE}
html { scroll-padding-top: 1rem }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em }
.page { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 90rem; margin: 0 auto }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.5rem 1rem 2rem 1.5rem; font-size: .9375rem }
search { display: block; margin: 0 0 1.25rem }
search[hidden] { display: none }
search label { display: flex; justify-content: space-between; margin: 0 0 .25rem; font-weight: 600 }
search input { display: block; width: 100%; min-height: 2.5em; padding: .375rem .625rem; border: 1px solid var(--field); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; font-size: max(1em, 16px) }
kbd { padding: 0 .375rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: .25rem; color: var(--soft); font: .875em ui-monospace, Menlo, Consolas, monospace }
#results { margin: .25rem 0 0; padding: 0; border: 0; list-style: none }
#results a { padding: .375rem .5rem; border-radius: .375rem; color: var(--ink) }
#results a:hover, #results a:focus { background: var(--card); text-decoration: none }
#results code { display: block; color: var(--soft); font-size: .8125em }
#count { margin: .375rem 0 0; font-weight: 400 }
nav p { margin: .75rem 0 .125rem; font-weight: 600 }
nav p:first-child { margin-top: 0 }
nav ul { margin: 0; padding: 0 0 0 .75rem; border-left: 1px solid var(--line); list-style: none }
nav a { display: block; padding: .125rem 0; color: inherit; text-decoration: none }
nav li a { color: var(--soft) }
nav li a[aria-current] { color: var(--act); font-weight: 600 }
nav a:hover { color: var(--act); text-decoration: underline }
main { min-width: 0; padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 4rem }
header p { margin: 0 0 1.5rem }
header h1 { margin: 0 }
.soft, .type, .says { color: var(--soft) }
.opening { max-width: 46rem }
h2 { margin: 3rem 0 .5rem; font-size: 1.375rem; line-height: 1.25 }
h3 { margin: 0 0 .25rem; font-size: 1.125rem; line-height: 1.3 }
h4 { margin: 1.25rem 0 .5rem; font-size: .9375rem }
h4 .type { font-weight: 400; font-size: .875rem }
article { margin: 1rem 0; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
article:target { border-color: var(--act) }
.route { margin: 0 0 .75rem }
.method { display: inline-block; min-width: 3.75rem; margin-right: .5rem; padding: .0625rem .375rem; border: 1px solid currentColor; border-radius: .375rem; color: var(--act); font-size: .75rem; font-weight: 700; text-align: center }
.method.delete { color: var(--bad) }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 31rem); gap: 1.5rem; align-items: start }
.columns p { margin: 0 0 .5rem }
h3 + .columns { margin-top: .5rem }
.columns > div:last-child { position: sticky; top: 1rem }
.members { margin: 0; padding: 0; list-style: none }
.members li { padding: .5rem 0; border-top: 1px solid var(--line) }
.members p { margin: 0 }
.members .members { margin: .5rem 0 0 .25rem; padding-left: .75rem; border-left: 2px solid var(--line) }
.members .members li:first-child { border-top: 0 }
.name { font-weight: 650 }
.type, .says, .required { font-size: .875rem }
.required { color: var(--bad) }
.answers { margin: 0 }
.answers > div { display: grid; grid-template-columns: 2.75rem minmax(0, 1fr); padding: .5rem 0; border-top: 1px solid var(--line) }
.answers dt { font-weight: 700; font-variant-numeric: tabular-nums }
.answers dt.bad { color: var(--soft) }
.answers dd { margin: 0; font-size: .9375rem }
.answers dd p { margin: 0 0 .25rem }
.block { position: relative; margin: 0 0 .75rem }
.copy { position: absolute; bottom: 100%; right: 0; margin-bottom: .3125rem; padding: .1875rem .5625rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--card); color: var(--soft); font: inherit; font-size: .8125rem; cursor: pointer }
.copy:hover { border-color: var(--act); color: var(--act) }
.tabs { display: flex; gap: .25rem; margin: 0 0 .4375rem; padding: 0; border: 0 }
.tabs label { position: relative; font-size: .875rem; cursor: pointer }
.tabs input { position: absolute; inset: 0; opacity: 0; cursor: pointer }
.tabs span { display: block; padding: .1875rem .625rem; border-radius: .375rem; color: var(--soft) }
.tabs label:hover span { color: var(--act) }
.tabs input:checked + span { background: var(--line); color: var(--ink); font-weight: 600 }
.tabs input:focus-visible + span { outline: 3px solid var(--act); outline-offset: 1px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
@supports selector(:has(*)) {
  .samples:has(.tabs) > .block { display: none }
  .samples:has([value="curl"]:checked) > [data-language="curl"],
  .samples:has([value="JavaScript"]:checked) > [data-language="JavaScript"],
  .samples:has([value="TypeScript"]:checked) > [data-language="TypeScript"],
  .samples:has([value="Python"]:checked) > [data-language="Python"] { display: block }
}
.errors { margin: 0 }
.errors > div { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr); gap: .25rem 1rem; padding: .75rem 0; border-top: 1px solid var(--line) }
.errors > div:target { background: var(--ground) }
.errors dt { font-weight: 650 }
.errors dd { margin: 0 }
.errors p { margin: 0 0 .25rem }
.status { display: inline-block; min-width: 2.25rem; font-variant-numeric: tabular-nums }
.code { margin: 0; padding: .875rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; line-height: 1.5; overflow-x: auto; overflow-wrap: normal; white-space: pre }
details summary { margin-bottom: .5rem; color: var(--soft); font-size: .9375rem; cursor: pointer }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); z-index: 1 }
.skip:focus { left: .5rem; top: .5rem }
:root { --bad: #a3342b }
@media (prefers-color-scheme: dark) { :root { --bad: #ffb3a8 } }
@media (max-width: 70rem) {
  .columns { grid-template-columns: minmax(0, 1fr) }
  .columns > div:last-child { position: static }
}
@media (max-width: 48rem) {
  .page { display: block }
  nav { position: static; max-height: none; padding: 1rem 1rem 0 }
  #contents:not([hidden]) { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
  #contents p { margin: 0 }
  #contents ul { display: none }
  #results { max-height: 60vh; overflow: auto }
  .errors > div { grid-template-columns: minmax(0, 1fr) }
  article { padding: 1rem }
}
@media print {
  nav, .copy { display: none }
  .page { display: block }
}
`;
