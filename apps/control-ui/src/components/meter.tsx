/** Bar of a used share. */
export function Meter({ percent }: { percent: number }) {
  const width = `${Math.min(100, Math.max(0, percent))}%`;
  return (
    <svg class="meter" role="img" aria-label={`${percent} %`}>
      <rect class="track" width="100%" height="4" />
      <rect class={percent >= 100 ? "fill over" : "fill"} width={width} height="4" />
    </svg>
  );
}
