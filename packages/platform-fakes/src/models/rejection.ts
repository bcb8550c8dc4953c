/** Error with which a provider rejects a request. */
export class Rejection extends Error {
  readonly status: number;
  /** Type or code of the error, if the API has one besides the status. */
  readonly code: string | undefined;

  constructor(message: string, status = 400, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Object of a request. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields that an object of a request may and must have. */
export interface ExpectedFields {
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
}

/** Wording of an API for the two commonest mistakes. */
export interface RejectionWording {
  unknown(path: string): Rejection;
  missing(path: string): Rejection;
}

/** Checks the objects of a request in the wording of one API. */
export class RequestChecker {
  readonly #wording: RejectionWording;

  constructor(wording: RejectionWording) {
    this.#wording = wording;
  }

  /**
   * Returns a value as an object that has the required fields and no unknown ones.
   * @param value - part of a request
   * @param path - its position, for the message; empty for the whole request
   * @param expected - fields that it may and must have
   * @throws Rejection when it does not
   */
  fields(value: unknown, path: string, { required = [], optional = [] }: ExpectedFields): Fields {
    const fields = fieldsOf(value);
    if (fields === undefined) throw this.#wording.missing(path);
    const at = (key: string) => (path === "" ? key : `${path}.${key}`);
    for (const key of Object.keys(fields)) {
      if (!required.includes(key) && !optional.includes(key)) throw this.#wording.unknown(at(key));
    }
    for (const key of required) {
      if (fields[key] === undefined) throw this.#wording.missing(at(key));
    }
    return fields;
  }

  /**
   * Returns a value as a list that is not empty.
   * @param value - part of a request
   * @param path - its position, for the message
   * @throws Rejection when it is empty or not a list
   */
  list(value: unknown, path: string): readonly unknown[] {
    if (!Array.isArray(value) || value.length === 0) throw this.#wording.missing(path);
    return value;
  }
}

/**
 * Returns a value as an object; undefined when it is not one.
 * @param value - part of a request
 */
export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Rejects a tool whose name or parameters no provider accepts.
 * @param name - name of the tool
 * @param parameters - JSON Schema of its arguments, if it has one
 */
export function checkTool(name: unknown, parameters: unknown): void {
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new Rejection(
      `Invalid tool name ${JSON.stringify(name)}: expected ^[a-zA-Z0-9_-]{1,64}$`,
    );
  }
  if (parameters === undefined) return;
  const schema = fieldsOf(parameters) ?? {};
  const union = ["anyOf", "oneOf", "allOf", "enum", "not"].find((keyword) => keyword in schema);
  if (schema.type !== "object" || union !== undefined) {
    throw new Rejection(
      `Invalid schema for tool '${name}': schema must be of type "object" and not have ${union ?? "another"} at the top level`,
    );
  }
}

/**
 * Rejects an image in a format that the provider does not read, or whose data is not base64.
 * @param mediaType - for example `image/png`
 * @param data - base64
 * @param formats - accepted formats, for example `png`
 */
export function checkImage(mediaType: unknown, data: unknown, formats: readonly string[]): void {
  const format = typeof mediaType === "string" ? mediaType.replace("image/", "") : "";
  if (!formats.includes(format)) {
    throw new Rejection(`Unsupported image type ${String(mediaType)}: expected one of ${formats}`);
  }
  if (typeof data !== "string" || data === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    throw new Rejection("Invalid base64 image data");
  }
}
