import type { ReactNode } from 'react';
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

export type Fact = readonly [name: string, value: ReactNode];

interface FactListProps {
  readonly facts: readonly Fact[];
  readonly className?: string | undefined;
  readonly isNumeric?: boolean;
}

/** Names with their values. */
export const FactList = ({ facts, className = ui['facts'], isNumeric = false }: FactListProps) => (
  <dl className={className}>
    {facts.map(([name, value]) => (
      // Two facts may have the same name, such as reports of one type with different columns.
      <div key={typeof value === 'string' ? `${name} ${value}` : name}>
        <dt>{name}</dt>
        <dd className={isNumeric ? ui['numeric'] : undefined}>{value}</dd>
      </div>
    ))}
  </dl>
);
