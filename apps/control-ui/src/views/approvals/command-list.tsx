/** Commands of a request, one by one, as they would run. */
export function CommandList({ commands }: { commands: readonly string[] }) {
  if (commands.length === 0) return null;
  return (
    <ol class="argv">
      {commands.map((command, index) => (
        <li key={`${index} ${command}`}>
          <span class="n">{index + 1}</span>
          <code class="cmd">{command}</code>
        </li>
      ))}
    </ol>
  );
}
