import { useState } from 'react';
import type { ImportPreview } from '../../../shared/api/files.ts';
import {
  type ChosenColumn,
  type ColumnChoice,
  columnName,
  MAPPED_COLUMNS,
  type NamedColumn,
} from '../../../shared/spreadsheet/column-mapping.ts';
import { FIELD_OF, SHEET_KINDS, type SheetKind } from '../../../shared/spreadsheet/columns.ts';
import { CONVERTED_KINDS } from '../../../shared/spreadsheet/foreign-sheet.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice, type Option } from '../../components/Choice.tsx';
import { ScrollBox } from '../../components/ScrollBox.tsx';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import styles from './import.module.css';
import { importTexts } from './text.ts';

type Heading = ImportPreview['headings'][number];

interface MappingChoices {
  /** The user's choices for columns so far; they may include some that the preview does not use yet. */
  readonly chosen: readonly ChosenColumn[];
  readonly onColumn: (column: NamedColumn, as: ColumnChoice) => void;
  /** Deletes the choice remembered from an earlier file. */
  readonly onForget: (column: NamedColumn) => void;
}

interface ColumnMappingProps extends MappingChoices {
  readonly preview: ImportPreview;
  /** The type of every row in a sheet without a type column. */
  readonly rowType: SheetKind | null;
  readonly onRowType: (kind: SheetKind | null) => void;
}

/**
 * The import target of each column of a sheet. Columns that are unknown, mapped by hand, or share a target are listed
 * first; the others are collapsed.
 */
export function ColumnMapping({ preview, rowType, onRowType, ...rest }: ColumnMappingProps) {
  const { headings, foreign } = preview;
  if (foreign !== null) return <UnusedColumns mapped={headings} unused={foreign.unused} {...rest} />;
  if (headings.length === 0) return null;
  const isShared = ({ column }: Heading): boolean =>
    column !== null && headings.filter((each) => each.column === column).length > 1;
  const isInFront = (heading: Heading): boolean => heading.by !== 'name' || isShared(heading);
  const [front, known] = [headings.filter(isInFront), headings.filter((heading) => !isInFront(heading))];
  const unknown = front.filter(({ by }) => by === 'none').length;
  const hasType = headings.some(({ column }) => column === 'Type');
  return (
    <section aria-label={importTexts.mapping}>
      {front.length > 0 && (
        <>
          <h3 className={ui['group-title']}>{importTexts.mapping}</h3>
          {unknown > 0 && <p className={ui['note-warning']}>{importTexts.unknownColumns(unknown)}</p>}
          <MappingTable label={importTexts.mapping} headings={front} choices={MAPPED_COLUMNS} {...rest} />
          <p className={ui['quiet']}>{importTexts.remembersColumns}</p>
        </>
      )}
      {!hasType && <RowType kind={rowType} onKind={onRowType} />}
      {known.length > 0 && (
        <details className={ui['left-out']}>
          <summary>
            <strong>{importTexts.knownColumns}</strong> <span className={ui['badge']}>{known.length}</span>
          </summary>
          <MappingTable label={importTexts.knownColumns} headings={known} choices={MAPPED_COLUMNS} {...rest} />
        </details>
      )}
    </section>
  );
}

interface UnusedColumnsProps extends MappingChoices {
  readonly mapped: readonly Heading[];
  readonly unused: readonly NamedColumn[];
}

/** Columns of another editor's export that the conversion does not use; collapsed, because there may be dozens. */
function UnusedColumns({ mapped, unused, ...rest }: UnusedColumnsProps) {
  const [isOpen, setOpen] = useState(mapped.length > 0);
  const headings = [...mapped, ...unused.map((each) => ({ ...each, column: null, by: 'none' as const, example: '' }))];
  if (headings.length === 0) return null;
  return (
    <section aria-label={importTexts.unusedColumns}>
      <details className={ui['left-out']} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>{importTexts.unusedColumns}</strong> <span className={ui['badge']}>{headings.length}</span>
        </summary>
        <p className={ui['quiet']}>{importTexts.unusedHint}</p>
        <MappingTable label={importTexts.unusedColumns} headings={headings} choices={CONVERTED_CHOICES} {...rest} />
        <p className={ui['quiet']}>{importTexts.remembersColumns}</p>
      </details>
    </section>
  );
}

/** Targets for columns of such an export. */
const CONVERTED_CHOICES = MAPPED_COLUMNS.filter((column) =>
  CONVERTED_KINDS.some((kind) => FIELD_OF[kind][column] !== undefined),
);

interface RowTypeProps {
  readonly kind: SheetKind | null;
  readonly onKind: (kind: SheetKind | null) => void;
}

/** Selects the row type for a sheet that lists one kind of rows without a type column. */
function RowType({ kind, onKind }: RowTypeProps) {
  const kinds = SHEET_KINDS.map((each) => [each, KIND_NAMES[each].many] as const);
  return (
    <label className={styles['row-type']}>
      <span>{importTexts.rowType}</span>
      <Choice options={[[null, importTexts.noRowType], ...kinds]} value={kind} onChoose={onKind} />
    </label>
  );
}

interface MappingTableProps extends MappingChoices {
  readonly label: string;
  readonly headings: readonly Heading[];
  readonly choices: readonly (typeof MAPPED_COLUMNS)[number][];
}

function MappingTable({ label, headings, choices, chosen, onColumn, onForget }: MappingTableProps) {
  const hasExamples = headings.some(({ example }) => example !== '');
  const [first, ...others] = importTexts.columnHeads;
  return (
    <ScrollBox className={`${ui['preview-scroll']} ${styles['mapping']}`} label={label}>
      <table className={`${ui['diff']} ${ui['plain-table']} ${styles['mapping-table']}`}>
        <TableHead
          titles={hasExamples ? [first, importTexts.firstValue, ...others] : [first, ...others]}
          actions={importTexts.remembered}
        />
        <tbody>
          {headings.map(({ heading, nth, column, by, example }) => {
            const name = columnName({ heading, nth });
            const said = chosen.find((each) => each.heading === heading && (each.nth ?? null) === nth)?.as ?? 'auto';
            const value = said === 'auto' ? (column ?? 'skip') : said;
            const own: readonly Option<ColumnChoice | 'Comment'>[] = column === 'Comment' ? [[column, column]] : [];
            return (
              <tr key={name}>
                <th scope="row" title={name}>
                  {heading}
                  {nth !== null && <span className={ui['quiet']}>[{nth}]</span>}
                </th>
                {hasExamples && (
                  <td title={example}>
                    <span className={ui['quiet']}>{example}</span>
                  </td>
                )}
                <td>
                  <Choice
                    aria-label={importTexts.importAs(name)}
                    options={[
                      ['skip', importTexts.skipColumn],
                      ...own,
                      ...choices.map((each) => [each, each] as const),
                    ]}
                    value={value}
                    onChoose={(as) => as !== 'Comment' && onColumn({ heading, nth }, as)}
                  />
                </td>
                <td>
                  {by === 'remembered' && (
                    <>
                      <span className={ui['badge']}>{importTexts.remembered}</span>{' '}
                      <Chip aria-label={importTexts.forgetColumn(name)} onClick={() => onForget({ heading, nth })}>
                        {importTexts.forget}
                      </Chip>
                    </>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollBox>
  );
}
