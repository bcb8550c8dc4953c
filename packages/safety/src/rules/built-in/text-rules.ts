import type { TextRule } from "../rule.js";
import { CONNECTION_RULES } from "./assignments/connections.js";
import { ASSIGNMENT_RULES } from "./assignments/rules.js";
import { BEARER_RULES } from "./bearer-tokens.js";
import { CONTENT_RULES } from "./contents.js";
import { ENTROPY_RULES } from "./entropy.js";
import { JWT_RULE } from "./jwt.js";
import { LOG_RULES } from "./logs.js";
import { MARKER_RULES } from "./markers.js";
import { PATH_RULES } from "./paths.js";
import { PHRASE_RULES } from "./phrases.js";
import { PLACEHOLDER_RULE } from "./placeholders.js";
import { PRIVATE_KEY_RULES } from "./private-keys.js";
import { PROVIDER_KEY_RULES } from "./provider-keys.js";
import { SERVICE_TOKEN_RULES } from "./service-tokens.js";
import { BUSINESS_TOKEN_RULES } from "./tokens/business.js";
import { CLOUD_TOKEN_RULES } from "./tokens/cloud.js";
import { DEVELOPMENT_TOKEN_RULES } from "./tokens/development.js";
import { EMBEDDED_TOKEN_RULES } from "./tokens/embedded.js";
import { VALIDATION_RULES } from "./validation.js";

/**
 * Every built-in rule that checks text, in the order of precedence where several match the same
 * text.
 */
export const TEXT_RULES: readonly TextRule[] = [
  ...PRIVATE_KEY_RULES,
  ...PROVIDER_KEY_RULES,
  ...SERVICE_TOKEN_RULES,
  ...CLOUD_TOKEN_RULES,
  ...DEVELOPMENT_TOKEN_RULES,
  ...BUSINESS_TOKEN_RULES,
  ...EMBEDDED_TOKEN_RULES,
  PLACEHOLDER_RULE,
  JWT_RULE,
  ...LOG_RULES,
  ...CONNECTION_RULES,
  ...ASSIGNMENT_RULES,
  ...BEARER_RULES,
  ...ENTROPY_RULES,
  ...MARKER_RULES,
  ...PHRASE_RULES,
  ...VALIDATION_RULES,
  ...PATH_RULES,
  ...CONTENT_RULES,
];
