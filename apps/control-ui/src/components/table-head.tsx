/** Name of a column, its CSS classes, and whether only screen readers get the name. */
export type Column = readonly [name: string, place: string, isHidden: boolean];

/** Row with the names of the columns of a table. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <div class="row head" role="row">
      {columns.map(([name, place, isHidden]) => (
        <span role="columnheader" class={place} key={`${name} ${isHidden}`}>
          {isHidden ? <span class="vh">{name}</span> : name}
        </span>
      ))}
    </div>
  );
}
