import type { TextRule } from "../rule.js";
import { COMMAND_RULES } from "./assignments/commands.js";
import { CONNECTION_RULES } from "./assignments/connections.js";
import { ASSIGNMENT_RULES } from "./assignments/rules.js";
import { BEARER_RULES } from "./bearer-tokens.js";
import { CONTENT_RULES } from "./contents.js";
import { ENTROPY_RULES } from "./entropy.js";
import { HIDDEN_TEXT_RULE } from "./hidden-text.js";
import { JWT_RULE } from "./jwt.js";
import { LOG_RULES } from "./logs.js";
import { MARKER_RULES } from "./markers.js";
import { MODEL_MARKER_RULES } from "./model-markers.js";
import { DISGUISE_RULES } from "./orders/disguises.js";
import { ORDER_RULE } from "./orders/rules.js";
import { PATH_RULES } from "./paths.js";
import { PHRASE_RULES } from "./phrases.js";
import { PLACEHOLDER_RULE } from "./placeholders.js";
import { PRIVATE_KEY_RULES } from "./private-keys.js";
import { ISSUED_TOKEN_RULE } from "./tokens/issued.js";
import { TOKEN_RULES } from "./tokens/tokens.js";
import { VALIDATION_RULES } from "./validation.js";

/**
 * Every built-in rule that checks text, in the order of precedence where several match the same
 * text.
 */
export const TEXT_RULES: readonly TextRule[] = [
  ...PRIVATE_KEY_RULES,
  ISSUED_TOKEN_RULE,
  ...TOKEN_RULES,
  PLACEHOLDER_RULE,
  JWT_RULE,
  ...LOG_RULES,
  ...CONNECTION_RULES,
  ...COMMAND_RULES,
  ...ASSIGNMENT_RULES,
  ...BEARER_RULES,
  ...ENTROPY_RULES,
  ...MARKER_RULES,
  ...MODEL_MARKER_RULES,
  ...PHRASE_RULES,
  ORDER_RULE,
  ...DISGUISE_RULES,
  HIDDEN_TEXT_RULE,
  ...VALIDATION_RULES,
  ...PATH_RULES,
  ...CONTENT_RULES,
];
