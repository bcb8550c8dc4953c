import { NAMED_FORMS } from "../../../generated/secret-forms.js";
import { valueSample, valueSource } from "../tokens/notation.js";

/** Secrets of a service that have no prefix and are recognised by the name they are assigned to. */
export interface ServiceSecret {
  /** Words without separators, in lower case; the name contains one of them. */
  readonly names: readonly string[];
  /** Matches the complete value. */
  readonly value: RegExp;
  /** Value that matches. */
  readonly sample: string;
}

/** Secrets without a prefix, by service. */
export const SERVICE_SECRETS: readonly ServiceSecret[] = NAMED_FORMS.map(([names, forms]) => ({
  names,
  value: new RegExp(`^(?:${forms.map(valueSource).join("|")})$`, "i"),
  sample: valueSample(`${forms[0]}`),
}));
