import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Backup, RestorePreview } from '../../../shared/contract/backups.ts';
import { useAppContext } from '../../app/desk.ts';
import { restorePreview } from '../../data/account-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { enBackups as texts } from '../../messages/en-backups.ts';
import { errorText } from '../../messages/errors.ts';
import { KIND_NAMES } from '../../messages/fields.ts';
import { countText, timeText } from '../../messages/numbers.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';
import { takeFocus } from '../../ui/take-focus.ts';
import { useNow } from '../../ui/use-now.ts';
import { RestoreParts } from './RestoreParts.tsx';

interface RestorePanelProps {
  readonly workspaceId: string;
  readonly backup: Backup;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** What putting a backup back would change, and the button that does it. The safe answer has the focus. */
export function RestorePanel({ workspaceId, backup, onBack, onDone }: RestorePanelProps) {
  const { actions } = useAppContext();
  const [busy, setBusy] = useState(false);
  const now = useNow();
  const { data, error } = useQuery(restorePreview(workspaceId, backup.backupId));
  const isSame = data?.kinds.every(({ comingBack, going, changing }) => comingBack + going + changing === 0) ?? false;
  const restore = async (): Promise<void> => {
    setBusy(true);
    const done = await actions.restoreBackup(backup.backupId);
    setBusy(false);
    if (done) onDone();
  };
  return (
    <>
      <h3 className="plain-heading">
        {texts.of(timeText(backup.at, now))} <span className="quiet">{texts.reasons[backup.reason]}</span>
      </h3>
      <div aria-live="polite">
        {error !== null && <p className="note-error">{errorText(error)}</p>}
        {data === undefined && error === null && <p className="quiet">{texts.comparing}</p>}
        {data !== undefined && (isSame ? <p>{texts.same}</p> : <Figures preview={data} />)}
      </div>
      {data !== undefined && <RestoreParts preview={data} />}
      <p className="quiet">{texts.safe}</p>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button ref={takeFocus} onClick={onBack}>
          {texts.back}
        </Button>
        {/* A damaged file cannot be compared; a backup is then what helps, so the button stays. */}
        <Button
          color="red"
          variant="outline"
          loading={busy}
          disabled={isSame || (data === undefined && error === null)}
          onClick={() => void restore()}
        >
          {texts.restore}
        </Button>
      </Group>
    </>
  );
}

function Figures({ preview }: { readonly preview: RestorePreview }) {
  const rows = preview.kinds.filter(({ comingBack, going, changing }) => comingBack + going + changing > 0);
  const total = rows.reduce((sum, { comingBack, going, changing }) => sum + comingBack + going + changing, 0);
  return (
    <>
      <table className="diff plain-table figure-table restore-figures">
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.comingBack}</th>
            <th scope="col">{texts.going}</th>
            <th scope="col">{texts.changing}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ kind, comingBack, going, changing }) => (
            <tr key={kind}>
              <th scope="row">{KIND_NAMES[kind].many}</th>
              <td className="numeric">{countText(comingBack)}</td>
              <td className="numeric">{countText(going)}</td>
              <td className="numeric">{countText(changing)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="plain-heading">{texts.examples}</h3>
      <ScrollBox className="preview-scroll short-scroll" label={texts.examples}>
        <ul className="lines">
          {preview.examples.map(({ kind, id, label, what }) => (
            <li key={`${kind} ${id}`} className="line">
              <span className={what === 'goes' ? 'badge badge-error' : 'badge'}>{texts.what[what]}</span>
              <span className="line-text">
                <span className="quiet">{KIND_NAMES[kind].one}</span> {label}
              </span>
            </li>
          ))}
        </ul>
      </ScrollBox>
      {total > preview.examples.length && <p className="quiet">{texts.more(total - preview.examples.length)}</p>}
    </>
  );
}
