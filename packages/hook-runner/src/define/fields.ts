/** An event, a context or a result, without the types of the hook map. */
export type Fields = Readonly<Record<string, unknown>>;
