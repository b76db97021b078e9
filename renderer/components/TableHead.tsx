import ui from './ui.module.css';

interface TableHeadProps {
  readonly titles: readonly string[];
  /** The screen reader name of the last column, if it has only buttons. */
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
