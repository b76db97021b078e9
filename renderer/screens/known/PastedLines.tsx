import type { CampaignLine } from '../../../shared/ids/campaign-lines.ts';
import { enCampaignIds } from '../../messages/en-known.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

/** Lines drawn at once; what is beyond is counted on the button. */
const SHOWN = 100;

interface PastedLinesProps {
  readonly lines: readonly CampaignLine[];
  /** Ids that are in the account already; null while that is being asked. */
  readonly here: ReadonlySet<string> | null;
}

/** Each pasted line with what becomes of it, before anything is asked of the service. */
export function PastedLines({ lines, here }: PastedLinesProps) {
  return (
    <ScrollBox className="known-scroll" label={enCampaignIds.preview}>
      <table className="known-table">
        <thead>
          <tr>
            <th scope="col">{enCampaignIds.line}</th>
            <th scope="col">{enCampaignIds.id}</th>
            <th scope="col">{enCampaignIds.name}</th>
            <th scope="col">{enCampaignIds.adGroup}</th>
            <th scope="col">{enCampaignIds.becomes}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, SHOWN).map((line) => (
            <tr key={line.line}>
              <td>{line.line}</td>
              <td>
                <code>{line.id ?? line.text}</code>
              </td>
              <td>{line.name}</td>
              <td>{line.adGroup}</td>
              <td className={line.problem === null ? '' : 'known-problem'}>{fateOf(line, here)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function fateOf({ id, problem }: CampaignLine, here: ReadonlySet<string> | null): string {
  if (problem !== null) return enCampaignIds.problems[problem];
  if (here === null || id === null) return enCampaignIds.looking;
  return here.has(id) ? enCampaignIds.isHere : enCampaignIds.isNew;
}
