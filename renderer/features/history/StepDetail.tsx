import { Button } from '@mantine/core';
import type { LogEntry, RestoreScope } from '../../../shared/api/history.ts';
import { useApi, useAppContext } from '../../app/app-context.ts';
import { dialogTexts } from '../../app/dialog-texts.ts';
import { errorText } from '../../app/error-text.ts';
import { fieldName, KIND_NAMES, rowName } from '../../app/field-names.ts';
import { atStart, timeText } from '../../app/locale/numbers.ts';
import { PageList } from '../../app/PageList.tsx';
import { usePages } from '../../app/pages.ts';
import type { HistoryStep } from '../../app/store/history-slice.ts';
import { appTexts } from '../../app/texts.ts';
import { Chip } from '../../components/Chip.tsx';
import ui from '../../components/ui.module.css';
import { useNow } from '../../components/use-now.ts';
import { DetailPanel } from './DetailPanel.tsx';
import styles from './history.module.css';
import { entryText } from './RequestsList.tsx';

const texts = {
  by: (who: string, when: string) => (who === '' ? when : `${when}, ${who}`),
  entries: 'Changes in this edit',
  bringBack: 'Restore',
  bringBackCell: (field: string, row: string) => `Restore ${field} of ${row}`,
  bringBackCampaign: (campaign: string) => `Restore campaign ${campaign}`,
  campaign: 'Restore campaign',
  before: 'Restore to before this edit',
  beforeLabel: (step: string) => `Restore to before "${step}"`,
  askBack: {
    title: 'Restore to before this edit?',
    text: 'Reverses this edit and all later ones, in one step that you can undo. Nothing is sent.',
    keep: 'Cancel',
    button: 'Restore',
  },
} as const;

/** The changes of one step with old and new values, and buttons to restore them. */
export function StepDetail({ workspaceId, step }: { readonly workspaceId: string; readonly step: HistoryStep }) {
  const api = useApi();
  const { store, actions } = useAppContext();
  const now = useNow();
  const list = usePages(
    (from, count) => api.history.log.queryOptions({ input: { workspaceId, stepId: step.id, from, count } }),
    ({ entries }) => entries,
  );
  const { newest, error } = list;
  const { show } = store.getState();
  const bringBack = (scope: RestoreScope, label: string): void => void actions.bringBack(step.previous, scope, label);
  const goBack = (): void => {
    const run = (): void => bringBack({ all: true }, texts.beforeLabel(step.label));
    show({ name: 'confirm', ...texts.askBack, run });
  };
  return (
    <DetailPanel title={step.label}>
      <p className={ui['quiet']}>{texts.by(step.who, timeText(step.at, now))}</p>
      {newest === undefined ? (
        <p className={ui['quiet']}>{error === null ? appTexts.grid.loading : errorText(error)}</p>
      ) : (
        <div className={styles['step-log']}>
          <PageList
            list={list}
            label={texts.entries}
            resetOn={String(step.id)}
            line={(entry, index) => (
              <EntryLine entry={entry} before={list.at(index - 1)} first={index === 0} onBack={bringBack} />
            )}
          />
        </div>
      )}
      <Button mt="xs" className={styles['detail-back']} onClick={goBack}>
        {texts.before}
      </Button>
    </DetailPanel>
  );
}

interface EntryLineProps {
  readonly entry: LogEntry;
  /** The entry above. A campaign is offered on the first of its lines only. */
  readonly before: LogEntry | undefined;
  readonly first: boolean;
  readonly onBack: (scope: RestoreScope, label: string) => void;
}

function EntryLine({ entry, before, first, onBack }: EntryLineProps) {
  const { kind, id, field, what, campaignId, campaignName } = entry;
  const row = rowName(kind, entry.label);
  const values = field === null ? '' : `${value(entry, entry.before)} → ${value(entry, entry.after)}`;
  const isOver = (what === 'deleted' || what === 'held') && entry.after === 0;
  const { history } = dialogTexts;
  const name = field !== null ? fieldName(field, kind) : isOver ? history.without[what] : history.what[what];
  const isNewCampaign = campaignId !== null && (first || before?.campaignId !== campaignId);
  return (
    <div className={ui['line']}>
      <span className={styles['step-row']} title={`${campaignName} › ${row}`}>
        <span className={ui['quiet']}>{atStart(KIND_NAMES[kind].one)}</span> {entry.label}
      </span>
      <span className={styles['step-values']} title={values}>
        <span className={ui['quiet']}>{name}</span> {values}
      </span>
      {what === 'field' && (
        <Chip
          aria-label={texts.bringBackCell(name, row)}
          onClick={() => onBack({ ref: { kind, id }, field }, texts.bringBackCell(name, row))}
        >
          {texts.bringBack}
        </Chip>
      )}
      {isNewCampaign && (
        <Chip
          aria-label={texts.bringBackCampaign(campaignName)}
          onClick={() => onBack({ campaignId }, texts.bringBackCampaign(campaignName))}
        >
          {texts.campaign}
        </Chip>
      )}
    </div>
  );
}

const value = (entry: LogEntry, cell: LogEntry['before']): string =>
  entryText(entry, cell) || dialogTexts.sync.emptyValue;
