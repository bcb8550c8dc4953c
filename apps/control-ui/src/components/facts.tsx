import type { ComponentChildren } from "preact";

/** Name and value of a fact; one without a value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** List of facts. */
export function Facts({
  facts,
  children,
}: {
  readonly facts: readonly Fact[];
  readonly children?: ComponentChildren;
}) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined &&
          value !== false &&
          value !== "" && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {children}
    </dl>
  );
}
