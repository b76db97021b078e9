import { Menu } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReportMetric, ReportQuery, ReportView } from '../../../shared/api/reports.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { printSearch, type Query } from '../../../shared/search/query.ts';
import { useApi, useAppContext, useView } from '../../app/app-context.ts';
import { countText, plural } from '../../app/locale/numbers.ts';
import type { OpenTool } from '../../app/store/layout-slice.ts';
import { Chip } from '../../components/Chip.tsx';
import { Choice } from '../../components/Choice.tsx';
import ui from '../../components/ui.module.css';
import { figureName, figureTexts, groupingName, rowName, shownFigure } from './figures.ts';
import styles from './reports.module.css';

const texts = {
  actOn: (name: string) => `Actions for ${name}`,
  show: 'Show in grid',
  bids: 'Adjust bids…',
  state: 'Enable or pause…',
  copy: 'Copy or move to…',
  addReported: 'Add campaign…',
  groupBy: 'Group by',
  filter: 'Filter by name',
  rows: (groups: number, rows: number) => `${plural(groups, 'group')} from ${plural(rows, 'report row')}`,
  all: 'Total',
  sortBy: (name: string) => `Sort by ${name}`,
  previous: 'Previous rows',
  next: 'Next rows',
  range: (from: number, to: number, of: number) => `${countText(from)} to ${countText(to)} of ${countText(of)}`,
} as const;

interface FigureTableProps {
  readonly view: ReportView;
  readonly figures: readonly ReportMetric[];
  readonly look: ReportQuery;
  readonly onLook: (part: Partial<ReportQuery>) => void;
  readonly pageSize: number;
  /** Names of campaigns in a report that has only their IDs. */
  readonly names: ReadonlyMap<string, string>;
}

/** The filter text applies when Enter is pressed or the field is left. */
export function MetricTable({ view, figures, look, onLook, pageSize, names }: FigureTableProps) {
  const [text, setText] = useState(look.contains);
  const narrow = (): void => {
    if (text !== look.contains) onLook({ contains: text });
  };
  const last = Math.min(view.groups, look.from + view.page.length);
  return (
    <section>
      <div className={styles['reports-kept']}>
        <label className={`${styles['reports-by']} ${ui['quiet']}`}>
          {texts.groupBy}
          <Choice
            className={`${ui['input']} ${styles['reports-inline']}`}
            options={view.groupings.map((column) => [column, groupingName(column)])}
            value={view.groupBy}
            onChoose={(groupBy) => onLook({ groupBy })}
          />
        </label>
        <input
          className={`${ui['input']} ${styles['reports-inline']}`}
          type="search"
          placeholder={texts.filter}
          aria-label={texts.filter}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={narrow}
          onKeyDown={(event) => {
            if (event.key === 'Enter') narrow();
          }}
        />
        <span className={ui['quiet']}>{texts.rows(view.groups, view.total.rows)}</span>
      </div>
      <div className={styles['reports-table']}>
        <table>
          <thead>
            <tr>
              <th scope="col">{groupingName(view.groupBy)}</th>
              {figures.map((figure) => (
                <SortHeader key={figure.column} figure={figure} look={look} onLook={onLook} />
              ))}
            </tr>
          </thead>
          <tbody>
            {view.page.map((group) => (
              <tr key={group.label}>
                <th scope="row">
                  <RowMenu groupBy={view.groupBy} label={group.label} name={names.get(group.label)} />
                </th>
                {figures.map((figure) => (
                  <td key={figure.column}>{shownFigure(figure, group.figures[figure.column])}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{texts.all}</th>
              {figures.map((figure) => (
                <td key={figure.column}>{shownFigure(figure, view.total.figures[figure.column])}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      {view.groups > pageSize && (
        <div className={styles['reports-kept']}>
          <Chip disabled={look.from === 0} onClick={() => onLook({ from: Math.max(0, look.from - pageSize) })}>
            {texts.previous}
          </Chip>
          <span className={`${ui['quiet']} ${ui['numeric']}`}>{texts.range(look.from + 1, last, view.groups)}</span>
          <Chip disabled={last >= view.groups} onClick={() => onLook({ from: look.from + pageSize })}>
            {texts.next}
          </Chip>
        </div>
      )}
    </section>
  );
}

interface SortHeaderProps {
  readonly figure: ReportMetric;
  readonly look: ReportQuery;
  readonly onLook: (part: Partial<ReportQuery>) => void;
}

function SortHeader({ figure, look, onLook }: SortHeaderProps) {
  const name = figureName(figure);
  const active = look.sortBy === figure.column;
  return (
    <th scope="col" aria-sort={active ? (look.descending ? 'descending' : 'ascending') : 'none'}>
      <button
        type="button"
        title={figureTexts.meanings[figure.metric]}
        aria-label={texts.sortBy(name)}
        onClick={() => onLook({ sortBy: figure.column, descending: active ? !look.descending : true })}
      >
        {name}
        <span aria-hidden="true">{active ? (look.descending ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  );
}

interface RowMenuProps {
  readonly groupBy: string;
  readonly label: string;
  readonly name: string | undefined;
}

/** The name of a report row, with a menu of actions for the rows of the account that it is about. */
function RowMenu({ groupBy, label, name }: RowMenuProps) {
  const { store } = useAppContext();
  const place = placeOf(groupBy, label);
  if (place === null) return label === '' ? figureTexts.noName : rowName(label);
  const { kind, filter, hasBid, state } = place;
  const act = (name: string, tool: OpenTool | null) => (
    <Menu.Item key={name} onClick={() => store.getState().goToRows({ kind, filter, tool })}>
      {name}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-start" width={240} classNames={{ item: ui['menu-item'] }}>
      <Menu.Target>
        <button type="button" className={styles['reports-row']} aria-label={texts.actOn(name ?? label)}>
          {name ?? label} {name !== undefined && <span className={ui['quiet']}>{label}</span>}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {act(texts.show, null)}
        {groupBy === 'campaignId' && <AddReportedCampaign id={label} />}
        {hasBid && act(texts.bids, { step: 'amount', field: 'bid' })}
        {act(texts.state, { step: 'set', field: state })}
        {kind !== 'campaign' && kind !== 'adGroup' && act(texts.copy, { step: 'copy', field: '' })}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Groupings of a report that name rows of the account: their kind, and the field with the name; null for the ID. */
const NAMED: Readonly<Record<string, readonly [Kind, string | null]>> = {
  campaignName: ['campaign', 'name'],
  campaignId: ['campaign', null],
  adGroupId: ['adGroup', null],
  adItemId: ['adItem', null],
  itemId: ['adItem', 'itemId'],
  itemName: ['adItem', 'itemName'],
  keywordId: ['keyword', null],
  keyword: ['keyword', 'text'],
  keywordText: ['keyword', 'text'],
};

/** @returns null for a row that is not about rows of the account, such as a day or a platform */
export function placeOf(groupBy: string, label: string) {
  const [kind, field] = NAMED[groupBy] ?? [];
  if (kind === undefined || field === undefined || label === '') return null;
  const query: Query = field === null ? { is: 'id', id: label } : { is: 'compare', field, op: '=', value: label };
  return {
    kind,
    filter: printSearch(query, kind),
    hasBid: kind === 'adItem' || kind === 'keyword',
    state: kind === 'keyword' ? 'state' : 'status',
  };
}

/** Offers to add a campaign of a report that is not in the account. */
function AddReportedCampaign({ id }: { readonly id: string }) {
  const { store } = useAppContext();
  const workspaceId = useView((s) => s.workspaceId);
  const here = useQuery(
    useApi().campaignIds.lookUp.queryOptions({
      input: workspaceId === null || !/^[1-9]\d{0,18}$/.test(id) ? skipToken : { workspaceId, ids: [id] },
    }),
  );
  if (here.data === undefined || here.data.here.includes(id)) return null;
  return (
    <Menu.Item onClick={() => store.getState().openSettings('campaign-ids', { add: { text: id, source: 'report' } })}>
      {texts.addReported}
    </Menu.Item>
  );
}
