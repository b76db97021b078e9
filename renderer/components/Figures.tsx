import styles from './components.module.css';
import ui from './ui.module.css';
export interface ShownFigure {
  readonly name: string;
  readonly value: string;
  /** The tooltip. */
  readonly meaning?: string | undefined;
}

interface FiguresProps {
  readonly figures: readonly ShownFigure[];
  readonly label?: string;
  readonly className?: string | undefined;
}

export function Figures({ figures, label, className = '' }: FiguresProps) {
  return (
    <ul className={`${styles['figures']} ${className}`.trim()} aria-label={label}>
      {figures.map(({ name, value, meaning }) => (
        <li key={name} title={meaning}>
          <strong className={ui['numeric']}>{value}</strong>
          <span className={ui['quiet']}>{name}</span>
        </li>
      ))}
    </ul>
  );
}
