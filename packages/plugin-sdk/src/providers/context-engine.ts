/** Selects the part of a conversation that is sent to the model; called in every turn. */
export interface ContextEngine {
  readonly [member: string]: unknown;
}

/** Creates the context engine when the slot selects its plugin (PLUG-056). */
export type ContextEngineFactory = () => ContextEngine | Promise<ContextEngine>;
