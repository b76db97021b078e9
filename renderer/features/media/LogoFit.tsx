import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLimits } from '../../app/locale/limits.ts';
import { enMedia } from '../../texts/en-media.ts';

/** Pixels of a picture that is decoded at most: four bytes each. */
const PIXELS_MAX = 40_000_000;
const MODES: readonly FitMode[] = ['pad', 'crop'];

interface LogoFitProps {
  readonly file: File;
  /** Gets the fitted picture as a PNG file of the same name. */
  readonly onFit: (fitted: File) => void;
}

/** Two ways to make a picture of any size a logo, each to be seen before it is taken. */
export function LogoFit({ file, onFit }: LogoFitProps) {
  const { width, height } = useLimits().logo;
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let over = false;
    let drawn: ImageBitmap | null = null;
    createImageBitmap(file).then(
      (bitmap) => {
        drawn = bitmap;
        if (over) bitmap.close();
        else if (bitmap.width * bitmap.height > PIXELS_MAX) setProblem(enMedia.tooLarge);
        else setPicture(bitmap);
      },
      // The browser gives no reason that a user could act on beyond that it cannot decode the file.
      () => setProblem(enMedia.unreadable),
    );
    return () => {
      over = true;
      drawn?.close();
    };
  }, [file]);
  if (problem !== null) return <p className="quiet">{problem}</p>;
  if (picture === null) return null;
  return (
    <div role="group" className="logo-fit" aria-label={enMedia.fit(width, height)}>
      <p>
        <strong>{enMedia.fit(width, height)}</strong> <span className="quiet">{enMedia.hint}</span>
      </p>
      <div className="logo-fit-ways">
        {MODES.map((mode) => (
          <FitWay key={mode} picture={picture} mode={mode} name={file.name} onFit={onFit} />
        ))}
      </div>
    </div>
  );
}

interface FitWayProps {
  readonly picture: ImageBitmap;
  readonly mode: FitMode;
  readonly name: string;
  readonly onFit: (fitted: File) => void;
}

function FitWay({ picture, mode, name, onFit }: FitWayProps) {
  const light = useRef<HTMLCanvasElement>(null);
  const dark = useRef<HTMLCanvasElement>(null);
  const { width, height } = useLimits().logo;
  const text = enMedia.modes[mode];
  useEffect(() => {
    for (const canvas of [light.current, dark.current]) {
      const paper = canvas?.getContext('2d');
      if (paper === null || paper === undefined) continue;
      const place = fitPlace(picture, { width, height }, mode);
      paper.clearRect(0, 0, width, height);
      paper.imageSmoothingQuality = 'high';
      paper.drawImage(picture, place.x, place.y, place.width, place.height);
    }
  }, [picture, mode, width, height]);
  const use = (): void =>
    light.current?.toBlob((blob) => {
      if (blob !== null) onFit(new File([blob], `${name.replace(/\.[^.]*$/, '')}-${width}.png`, { type: 'image/png' }));
    }, 'image/png');
  return (
    <div className="logo-fit-way">
      <div className="logo-pair">
        <canvas ref={light} className="logo-light" width={width} height={height} role="img" aria-label={text} />
        <canvas ref={dark} className="logo-dark" width={width} height={height} />
      </div>
      <Button onClick={use}>{enMedia.use(text)}</Button>
    </div>
  );
}

/** `pad` keeps the whole picture and leaves margins, `crop` fills the place and cuts off what stands over. */
type FitMode = 'pad' | 'crop';

interface Size {
  readonly width: number;
  readonly height: number;
}
interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * Where a picture is drawn in a place of another size: in the middle, its sides in proportion.
 *
 * @param picture sizes in pixels, both at least 1
 * @returns the rectangle in pixels of the place; it reaches beyond the place when the picture is cropped
 */
export function fitPlace(picture: Size, place: Size, mode: FitMode): Place {
  const across = place.width / picture.width;
  const down = place.height / picture.height;
  const scale = mode === 'pad' ? Math.min(across, down) : Math.max(across, down);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { x: (place.width - width) / 2, y: (place.height - height) / 2, width, height };
}
