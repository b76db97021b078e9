export interface ShownFigure {
  readonly name: string;
  readonly value: string;
  /** What it means, for a pointer that rests on it. */
  readonly meaning?: string | undefined;
}

interface FiguresProps {
  readonly figures: readonly ShownFigure[];
  readonly label?: string;
  readonly className?: string;
}

/** A few numbers side by side, each over what it counts. */
export function Figures({ figures, label, className = '' }: FiguresProps) {
  return (
    <ul className={`figures ${className}`.trim()} aria-label={label}>
      {figures.map(({ name, value, meaning }) => (
        <li key={name} title={meaning}>
          <strong className="numeric">{value}</strong>
          <span className="quiet">{name}</span>
        </li>
      ))}
    </ul>
  );
}
