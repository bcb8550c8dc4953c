import type { SlackManifest } from "@openclaw/platform-fakes";
import { platformPage } from "./page.js";

/** The app of the documentation. */
export const slackManifest: SlackManifest = JSON.parse(platformPage("slack").block("json"));
