import { AppError } from "#core/errors/errors.ts";
import { publicRoute, type PublicRoute } from "#http/routes/public-route.ts";
import { frameResponse } from "#pages/mailbox/frame.ts";
import type { PreviewLetters } from "./service.ts";

/** The letters themselves, under the policy that the mailbox has for foreign mail. */
export const shownLetterRoutes = (letters: PreviewLetters): PublicRoute[] => [
  publicRoute({
    method: "GET",
    path: "/console/letters/:token",
    async handle({ params }) {
      const html = await letters.find(params.token);
      if (html === null) throw new AppError("NOT_FOUND", "This letter is not kept any more.");
      return frameResponse(new TextDecoder().decode(html), true);
    },
  }),
];
