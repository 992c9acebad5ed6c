import { createRoot } from "react-dom/client";
import { setNonce } from "get-nonce";
import { fileChangedIsSaid } from "./api/chosen-file.ts";
import { errorsAreSaid } from "./api/client.ts";
import { App } from "./frame/app.tsx";
import { dialogsAreHeld } from "./frame/held/held-dialogs.ts";
import { droppedFilesStayOut } from "./frame/held/dropped-files.ts";
import { focusIsKept } from "./frame/kept-focus.ts";
import { localeOf } from "./frame/locale.ts";
import { nonce } from "./frame/page-facts.ts";
import { paperIsLight } from "./frame/paper.ts";
import { usedWorkspaceIsKept } from "./frame/session/session.tsx";
import { markOf, numbersAreWrittenWith } from "./parts/typed/typed-number.ts";
import { chosenLanguage, loadTexts } from "./texts/texts.tsx";

setNonce(nonce);
const host = document.getElementById("root");
if (host === null) throw new Error("the page has no place for the console");
const language = chosenLanguage();
const texts = await loadTexts(language);
const { unreachable, unreachableSays, refusedElsewhere, fileChanged } = texts.frame;
errorsAreSaid({
  refusal: texts.fromServer,
  unreachable: `${unreachable}. ${unreachableSays}`,
  elsewhere: refusedElsewhere,
});
fileChangedIsSaid(fileChanged);
numbersAreWrittenWith(markOf(localeOf(language, navigator.languages)));
focusIsKept();
dialogsAreHeld();
droppedFilesStayOut();
usedWorkspaceIsKept();
paperIsLight();
// Under http, Safari shows a page that was left as it stood, also after its person signed out.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});
createRoot(host).render(<App language={language} texts={texts} />);
