import ui from './ui.module.css';

interface TableHeadProps {
  readonly titles: readonly string[];
  /** Names the last column to screen readers, where it has buttons alone. */
  readonly actions?: string;
}

export const TableHead = ({ titles, actions }: TableHeadProps) => (
  <thead>
    <tr>
      {titles.map((title) => (
        <th key={title} scope="col">
          {title}
        </th>
      ))}
      {actions !== undefined && (
        <th scope="col">
          <span className={ui['spoken-only']}>{actions}</span>
        </th>
      )}
    </tr>
  </thead>
);
