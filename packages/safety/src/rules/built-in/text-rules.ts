import { BEARER_RULES } from "./bearer-rules.js";
import { CONTENT_RULES } from "./content-rules.js";
import { ENTROPY_RULES } from "./entropy-rules.js";
import { JWT_RULE } from "./jwt-rule.js";
import { LOG_RULES } from "./log-rules.js";
import { MARKER_RULES } from "./marker-rules.js";
import { PATH_RULES } from "./path-rules.js";
import { PHRASE_RULES } from "./phrase-rules.js";
import { PLACEHOLDER_RULE } from "./placeholder-rule.js";
import { PRIVATE_KEY_RULES } from "./private-key-rules.js";
import { PROVIDER_KEY_RULES } from "./provider-key-rules.js";
import type { TextRule } from "./rule.js";
import { SERVICE_TOKEN_RULES } from "./service-token-rules.js";
import { VALIDATION_RULES } from "./validation-rules.js";

/** Every built-in rule that looks at text; of several at one place the first names what is there. */
export const TEXT_RULES: readonly TextRule[] = [
  ...PRIVATE_KEY_RULES,
  ...PROVIDER_KEY_RULES,
  ...SERVICE_TOKEN_RULES,
  PLACEHOLDER_RULE,
  JWT_RULE,
  ...LOG_RULES,
  ...BEARER_RULES,
  ...ENTROPY_RULES,
  ...MARKER_RULES,
  ...PHRASE_RULES,
  ...VALIDATION_RULES,
  ...PATH_RULES,
  ...CONTENT_RULES,
];
