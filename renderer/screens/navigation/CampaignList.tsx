import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { isChanged, isNew } from '../../../shared/model/row.ts';
import { useAppContext, useView, useViewOf } from '../../app/desk.ts';
import { wholeList } from '../../data/prepared-view.ts';
import { useSourceVersion, useWindowSource } from '../../data/use-window-source.ts';
import type { OpenView } from '../../data/window-source.ts';
import { stateOf } from '../../grid/columns.ts';
import { en } from '../../messages/en.ts';
import { StatusDot, toneOf } from '../../ui/StateDot.tsx';
import { CAMPAIGN_MARK } from '../carry/campaign-under.ts';
import { CampaignParts } from './CampaignParts.tsx';

const ROW = 24;
const OVERSCAN = 6;
const FIELDS = fieldNames('campaign');

/** The campaigns of the account, as many as are in view, with the open one unfolded. */
export function CampaignList({ workspaceId }: { readonly workspaceId: string }) {
  const [filter, setFilter] = useState('');
  const view = useWindowSource(workspaceId, { kind: 'campaign', campaignId: null, filter, only: 'all', sort: BY_NAME });
  return (
    <div className="nav-campaigns">
      <h2 className="section-title">{en.nav.campaigns}</h2>
      <div className="nav-filter">
        <TextInput
          size="xs"
          aria-label={en.nav.filter}
          placeholder={en.nav.filter}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      {view !== null && <Campaigns workspaceId={workspaceId} view={view} />}
    </div>
  );
}

const BY_NAME = [{ column: 'name', descending: false }];

function Campaigns({ workspaceId, view }: { readonly workspaceId: string; readonly view: OpenView }) {
  const { store, preparedView } = useAppContext();
  const { source } = view;
  useSourceVersion(source);
  const open = useViewOf((s) => ({ campaignId: s.campaignId, kind: s.place === 'rows' ? s.kind : null }));
  const scroller = useRef<HTMLDivElement>(null);
  const [window_, setWindow] = useState({ top: 0, height: 600 });
  const length = source.length();
  const from = Math.max(0, Math.floor(window_.top / ROW) - OVERSCAN);
  const to = Math.min(length, Math.ceil((window_.top + window_.height) / ROW) + OVERSCAN);

  useEffect(() => {
    source.want(from, to);
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => setWindow({ top: element.scrollTop, height: element.clientHeight || 600 });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const rows = [];
  for (let i = from; i < to; i += 1) {
    const row = source.rowAt(i);
    if (row === undefined) continue;
    const isOpen = row.id === open.campaignId;
    rows.push(
      <li key={row.id} {...{ [CAMPAIGN_MARK]: row.id }}>
        <CampaignButton
          row={row}
          current={isOpen && open.kind === 'campaign'}
          open={isOpen}
          onPress={() => preparedView.prepare(workspaceId, wholeList('campaign', row.id))}
          onOpen={() => store.getState().goTo({ kind: 'campaign', campaignId: row.id })}
        />
        {isOpen && (
          <CampaignParts workspaceId={workspaceId} campaignId={row.id} campaignType={cell(row, 'campaignType')} />
        )}
      </li>,
    );
  }
  return (
    <div ref={scroller} className="nav-scroll">
      {length === 0 && <p className="nav-empty quiet">{source.request.filter === '' ? '' : en.nav.noMatch}</p>}
      <ul className="nav-list" onKeyDown={walk} style={{ paddingTop: from * ROW, paddingBottom: (length - to) * ROW }}>
        {rows}
      </ul>
    </div>
  );
}

const cell = (row: WindowRow, field: string): string => String(row.cells[FIELDS.indexOf(field)] ?? '');

interface CampaignButtonProps {
  readonly row: WindowRow;
  readonly current: boolean;
  readonly open: boolean;
  readonly onPress: () => void;
  readonly onOpen: () => void;
}

function CampaignButton({ row, current, open, onPress, onOpen }: CampaignButtonProps) {
  const over = useView((s) => s.carryOver === row.id);
  const { state, text } = stateOf(row);
  const mark = isNew(row) ? '+' : isChanged(row) ? 'Δ' : '';
  return (
    <button
      type="button"
      className={over ? 'nav-row nav-over' : 'nav-row'}
      aria-current={current ? 'true' : undefined}
      aria-expanded={open}
      onPointerDown={onPress}
      onClick={onOpen}
      title={row.campaignName}
    >
      <StatusDot tone={isNew(row) ? 'off' : toneOf(state)} text="" />
      <span className="nav-name">{row.campaignName}</span>
      {row.severity === 'error' && (
        <span className="grid-mark grid-mark-error" title={en.grid.mark.error}>
          !
        </span>
      )}
      {mark !== '' && <span className={`grid-mark grid-mark-${isNew(row) ? 'good' : 'changed'}`}>{mark}</span>}
      <span className="nav-count">{isNew(row) ? en.drawer.new : text}</span>
    </button>
  );
}

/** Up and down walk the list, as in any tree. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}
