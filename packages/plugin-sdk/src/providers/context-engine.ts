/** Chooses what of a conversation a model is shown; the host asks it for every turn. */
export interface ContextEngine {
  readonly [member: string]: unknown;
}

/** Makes the context engine, when the slot is given to its plugin (PLUG-056). */
export type ContextEngineFactory = () => ContextEngine | Promise<ContextEngine>;
