import { useState } from 'react';
import { useLimits } from '../../data/use-limits.ts';
import { enMedia } from '../../messages/en-media.ts';
import { ChipChoice } from '../../ui/ChipChoice.tsx';

const SCALES = [1, 2] as const;

/** A logo as shoppers see it, on light and on dark, at its own size and at that of a dense screen. */
export function LogoPreview({ url, name }: { readonly url: string; readonly name: string }) {
  const { width, height } = useLimits().logo;
  const [scale, setScale] = useState<(typeof SCALES)[number]>(1);
  const size = { width: width * scale, height: height * scale };
  return (
    <>
      <div className="logo-pair">
        <img className="logo-light" src={url} alt={enMedia.onLight(name)} {...size} />
        <img className="logo-dark" src={url} alt={enMedia.onDark(name)} {...size} />
      </div>
      <ChipChoice
        label={enMedia.scale}
        choices={SCALES.map((value) => ({ value, name: enMedia.scales[value] }))}
        chosen={scale}
        onChoose={setScale}
      />
    </>
  );
}
