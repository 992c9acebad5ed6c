import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Router } from "wouter";
import { newQueryClient } from "../api/query.ts";
import { decimalMark } from "../parts/typed/typed-number.ts";
import type { Texts } from "../texts/en/index.ts";
import { TextsProvider, type Language } from "../texts/texts.tsx";
import { Door } from "./session/door.tsx";
import { FaultBoundary } from "./fault-boundary.tsx";
import { BASE, nonce } from "./page-facts.ts";
import { themeOf, variables } from "./theme.ts";

/** The console as a whole: what all screens share, the sign-in, and behind it the screens. */
export function App({ language, texts }: { readonly language: Language; readonly texts: Texts }) {
  const [queries] = useState(newQueryClient);
  const [theme] = useState(() => themeOf(texts.frame, decimalMark()));
  return (
    <TextsProvider language={language} texts={texts}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-center" />
          <FaultBoundary isWholePage>
            <Router base={BASE}>
              <Door />
            </Router>
          </FaultBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </TextsProvider>
  );
}
