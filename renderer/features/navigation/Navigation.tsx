import { TextInput } from '@mantine/core';
import {
  IconBoxMultiple,
  IconBuildingStore,
  IconChartLine,
  IconDeviceDesktop,
  IconFolder,
  IconKey,
  IconLayoutDashboard,
  IconMovie,
  IconPhoto,
  IconRocket,
  IconSpeakerphone,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { WindowRow } from '../../../shared/api/workspace.ts';
import { campaignParts } from '../../../shared/model/campaign-tree.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { KINDS, type Kind } from '../../../shared/model/kinds.ts';
import { isChanged, isNew } from '../../../shared/model/row.ts';
import { useApi, useAppContext, useView, useViewOf } from '../../app/app-context.ts';
import { KIND_NAMES } from '../../app/field-names.ts';
import { countText } from '../../app/locale/numbers.ts';
import { rowsOf } from '../../app/shared-queries.ts';
import { appTexts } from '../../app/texts.ts';
import { StatusShape } from '../../components/StatusShape.tsx';
import ui from '../../components/ui.module.css';
import { stateOf } from '../../grid/columns.ts';
import { useWindowSource } from '../../grid/use-window.ts';
import { type OpenView, wholeList } from '../../grid/window.ts';
import { CAMPAIGN_MARK } from '../move-rows/MoveBar.tsx';
import styles from './navigation.module.css';

const texts = {
  lists: 'Lists',
  campaigns: 'Campaigns',
  filter: 'Find campaign',
  noMatch: 'No matching campaigns.',
  nav: 'Launch',
} as const;

/** Two ways in: every row of one kind over the whole account, or one campaign with what hangs from it. */
export function Navigation({ workspaceId }: { readonly workspaceId: string }) {
  const { store, preparedView } = useAppContext();
  const { kind, campaignId, place } = useViewOf((s) => ({ kind: s.kind, campaignId: s.campaignId, place: s.place }));
  const rows = useQuery(useApi().workspace.summary.queryOptions({ input: { workspaceId } })).data?.rows;
  return (
    <>
      <div>
        <h2 className={ui['section-title']}>{texts.lists}</h2>
        {KINDS.map((each) => {
          const Icon = KIND_ICONS[each];
          return (
            <button
              key={each}
              type="button"
              className={styles['nav-row']}
              aria-current={place === 'rows' && campaignId === null && kind === each ? 'true' : undefined}
              onPointerDown={() => preparedView.prepare(workspaceId, wholeList(each, null))}
              onClick={() => store.getState().goTo({ kind: each, campaignId: null })}
            >
              <Icon size={15} stroke={1.5} aria-hidden="true" />
              <span className={ui['nav-name']}>{KIND_NAMES[each].many}</span>
              <span className={styles['nav-count']}>{rows === undefined ? '' : countText(rows[each] ?? 0)}</span>
            </button>
          );
        })}
        <button
          type="button"
          className={styles['nav-row']}
          aria-current={place === 'launch' ? 'true' : undefined}
          onClick={() => store.getState().openLaunch()}
        >
          <IconRocket size={15} stroke={1.5} aria-hidden="true" />
          <span className={ui['nav-name']}>{texts.nav}</span>
        </button>
        <button
          type="button"
          className={styles['nav-row']}
          aria-current={place === 'reports' ? 'true' : undefined}
          onClick={() => store.getState().openPlace('reports')}
        >
          <IconChartLine size={15} stroke={1.5} aria-hidden="true" />
          <span className={ui['nav-name']}>{appTexts.reports.title}</span>
        </button>
      </div>
      <CampaignList workspaceId={workspaceId} />
    </>
  );
}

const ROW = 24;
const OVERSCAN = 6;
const FIELDS = fieldNames('campaign');

/** The campaigns of the account, as many as are in view, with the open one unfolded. */
function CampaignList({ workspaceId }: { readonly workspaceId: string }) {
  const [filter, setFilter] = useState('');
  const view = useWindowSource(workspaceId, { kind: 'campaign', campaignId: null, filter, only: 'all', sort: BY_NAME });
  return (
    <div className={styles['nav-campaigns']}>
      <h2 className={ui['section-title']}>{texts.campaigns}</h2>
      <div className={styles['nav-filter']}>
        <TextInput
          size="xs"
          aria-label={texts.filter}
          placeholder={texts.filter}
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
  useSyncExternalStore(source.subscribe, source.version);
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
    <div ref={scroller} className={styles['nav-scroll']} data-scrolls="">
      {length === 0 && (
        <p className={`${styles['nav-empty']} ${ui['quiet']}`}>{source.request.filter === '' ? '' : texts.noMatch}</p>
      )}
      <ul
        className={styles['nav-list']}
        onKeyDown={walk}
        style={{ paddingTop: from * ROW, paddingBottom: (length - to) * ROW }}
      >
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
      className={over ? `${styles['nav-row']} ${styles['nav-over']}` : styles['nav-row']}
      aria-current={current ? 'true' : undefined}
      aria-expanded={open}
      onPointerDown={onPress}
      onClick={onOpen}
      title={row.campaignName}
    >
      <StatusShape state={isNew(row) ? 'draft' : state} text="" />
      <span className={ui['nav-name']}>{row.campaignName}</span>
      {row.severity === 'error' && (
        <span className={`${ui['grid-mark']} ${ui['grid-mark-error']}`} title={appTexts.grid.mark.error}>
          !
        </span>
      )}
      {mark !== '' && (
        <span className={`${ui['grid-mark']} ${ui[`grid-mark-${isNew(row) ? 'good' : 'changed'}`]}`}>{mark}</span>
      )}
      <span className={styles['nav-count']}>{isNew(row) ? appTexts.drawer.new : text}</span>
    </button>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

interface CampaignPartsProps {
  readonly workspaceId: string;
  readonly campaignId: number;
  readonly campaignType: string;
}

/** The kinds below the open campaign, with how many rows each has. */
function CampaignParts({ workspaceId, campaignId, campaignType }: CampaignPartsProps) {
  const { store } = useAppContext();
  const kind = useView((s) => (s.place === 'rows' ? s.kind : null));
  const api = useApi();
  const parts = campaignParts(campaignType);
  const counts = useQueries({ queries: parts.map((part) => rowsOf(api, workspaceId, { kind: part, campaignId }, 0)) });
  return (
    <ul className={styles['nav-list']}>
      {parts.map((part, at) => {
        const count = counts[at]?.data?.total;
        const Icon = KIND_ICONS[part];
        return (
          <li key={part}>
            <button
              type="button"
              className={`${styles['nav-row']} ${styles['nav-child']}`}
              aria-current={kind === part ? 'true' : undefined}
              onClick={() => store.getState().goTo({ kind: part, campaignId })}
            >
              <Icon size={14} stroke={1.5} aria-hidden="true" />
              <span className={ui['nav-name']}>{KIND_NAMES[part].many}</span>
              <span className={styles['nav-count']}>{count === undefined ? '' : countText(count)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const KIND_ICONS: Readonly<Record<Kind, TablerIcon>> = {
  campaign: IconSpeakerphone,
  adGroup: IconFolder,
  adItem: IconBuildingStore,
  keyword: IconKey,
  sbaProfile: IconLayoutDashboard,
  videoProfile: IconMovie,
  placementMultiplier: IconBoxMultiple,
  platformMultiplier: IconDeviceDesktop,
  media: IconPhoto,
};
