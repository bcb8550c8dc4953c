/** An event, a context or a result, once the types of the hook map are behind us. */
export type Fields = Readonly<Record<string, unknown>>;
