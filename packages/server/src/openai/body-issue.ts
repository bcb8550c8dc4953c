import type { TSchema } from "typebox";
import type { Validator } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";

/** A list of content can have many wrong items; TypeBox stops at 8 errors by default. */
const MOST_ERRORS = 1000;
/** Field of a choice between objects that says which of them is meant. */
const NAMES_CHOICE = /^(.*\/anyOf\/\d+)\/properties\/(?:type|role)$/;

/** First mistake of a body. */
export interface BodyIssue {
  /** JSON pointer; empty for the body itself. */
  readonly place: string;
  /** End of a sentence that begins with the place. */
  readonly problem: string;
}

/**
 * Returns the mistake that a client made. Where a schema has a choice, that is the one within the choice that the body
 * names by its `type` or `role`.
 * @param schema - schema of the body
 * @param body - body that does not match it
 */
export function issueOf(
  schema: Validator<Record<never, never>, TSchema>,
  body: unknown,
): BodyIssue {
  const all = errorsOf(schema, body).filter(({ keyword }) => keyword !== "boolean");
  const other = all.flatMap(({ keyword, schemaPath }) => {
    const choice = keyword === "const" ? NAMES_CHOICE.exec(schemaPath)?.[1] : undefined;
    return choice === undefined ? [] : [`${choice}/`];
  });
  const isMeant = ({ keyword, schemaPath }: TLocalizedValidationError) =>
    keyword !== "anyOf" && !other.some((choice) => `${schemaPath}/`.startsWith(choice));
  const meant = all.filter(isMeant);
  const issue = (meant.length === 0 ? all : meant).reduce<TLocalizedValidationError | undefined>(
    (found, each) => (found !== undefined && depthOf(found) >= depthOf(each) ? found : each),
    undefined,
  );
  return {
    place: issue?.instancePath ?? "",
    problem: issue === undefined ? "is invalid" : problemOf(issue),
  };
}

function errorsOf(
  schema: Validator<Record<never, never>, TSchema>,
  body: unknown,
): readonly TLocalizedValidationError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_ERRORS });
  try {
    return schema.Errors(body);
  } finally {
    Settings.Set({ maxErrors });
  }
}

function depthOf({ instancePath }: TLocalizedValidationError): number {
  return instancePath.split("/").length;
}

function problemOf(issue: TLocalizedValidationError): string {
  if (issue.keyword !== "enum") return issue.message;
  const allowed = issue.params.allowedValues.map((value) => JSON.stringify(value));
  return `must be one of ${allowed.join(", ")}`;
}
