import { approvalsPlace } from "../views/approvals/place.js";
import { channelsPlace } from "../views/channels/place.js";
import { chatPlace } from "../views/chat/place.js";
import { healthPlace } from "../views/health/place.js";
import { hooksPlace } from "../views/hooks/place.js";
import { jobsPlace } from "../views/jobs/place.js";
import { logsPlace } from "../views/logs/place.js";
import { memoryPlace } from "../views/memory/place.js";
import { modelsPlace } from "../views/models/place.js";
import { nowPlace } from "../views/now/place.js";
import { pluginsPlace } from "../views/plugins/place.js";
import { policyPlace } from "../views/policy/place.js";
import { routinesPlace } from "../views/routines/place.js";
import { runsPlace } from "../views/runs/place.js";
import { sessionsPlace } from "../views/sessions/place.js";
import { settingsPlace } from "../views/settings/place.js";
import { usagePlace } from "../views/usage/place.js";
import type { Place } from "./place.js";

/** Views of the console, in the order of the rail. */
export const PLACES: readonly Place[] = [
  nowPlace,
  approvalsPlace,
  chatPlace,
  runsPlace,
  jobsPlace,
  routinesPlace,
  sessionsPlace,
  memoryPlace,
  channelsPlace,
  modelsPlace,
  pluginsPlace,
  hooksPlace,
  policyPlace,
  usagePlace,
  logsPlace,
  healthPlace,
  settingsPlace,
];
