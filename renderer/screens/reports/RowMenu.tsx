import { Menu } from '@mantine/core';
import { useAppContext } from '../../app/desk.ts';
import { enFigures } from '../../messages/en-figures.ts';
import { enReports } from '../../messages/en-reports.ts';
import type { Dialog } from '../../store/dialog.ts';
import { AddReportedCampaign } from '../known/AddReported.tsx';
import { rowName } from './figures.ts';
import { placeOf } from './row-places.ts';

/** The name of a row of a report, and what can be done with the rows of the account that it is about. */
export function RowMenu({ groupBy, label }: { readonly groupBy: string; readonly label: string }) {
  const { store } = useAppContext();
  const place = placeOf(groupBy, label);
  if (place === null) return label === '' ? enReports.noName : rowName(label);
  const { kind, filter, hasBid, state } = place;
  const act = (name: string, dialog: Dialog | null) => (
    <Menu.Item key={name} onClick={() => store.getState().goToRows({ kind, filter, dialog })}>
      {name}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-start" width={240} classNames={{ item: 'menu-item' }}>
      <Menu.Target>
        <button type="button" className="reports-row" aria-label={enFigures.actOn(label)}>
          {label}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {act(enFigures.show, null)}
        {groupBy === 'campaignId' && <AddReportedCampaign id={label} />}
        {hasBid && act(enFigures.bids, { name: 'bulk', tool: 'amount', field: 'bid' })}
        {act(enFigures.state, { name: 'bulk', tool: 'set', field: state })}
        {kind !== 'campaign' && kind !== 'adGroup' && act(enFigures.copy, { name: 'copy' })}
      </Menu.Dropdown>
    </Menu>
  );
}
