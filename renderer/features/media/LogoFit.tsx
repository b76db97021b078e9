import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLimits } from '../../app/locale/limits.ts';
import ui from '../../components/ui.module.css';
import styles from './media.module.css';

const texts = {
  fit: (width: number, height: number) => `Resize to ${width} × ${height}`,
  hint: 'Preview on light and dark backgrounds. Transparency is kept.',
  modes: { pad: 'Fit the whole image (adds margins)', crop: 'Fill the square (crops the edges)' },
  use: (mode: string) => `Use: ${mode.toLowerCase()}`,
  unreadable: "Can't open this image. Save it as PNG and add it again.",
  tooLarge: 'This image is too large to resize here. Save a smaller copy and add it again.',
} as const;

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
        else if (bitmap.width * bitmap.height > PIXELS_MAX) setProblem(texts.tooLarge);
        else setPicture(bitmap);
      },
      // The browser gives no reason that a user could act on beyond that it cannot decode the file.
      () => setProblem(texts.unreadable),
    );
    return () => {
      over = true;
      drawn?.close();
    };
  }, [file]);
  if (problem !== null) return <p className={ui['quiet']}>{problem}</p>;
  if (picture === null) return null;
  return (
    <div role="group" className={styles['logo-fit']} aria-label={texts.fit(width, height)}>
      <p>
        <strong>{texts.fit(width, height)}</strong> <span className={ui['quiet']}>{texts.hint}</span>
      </p>
      <div className={styles['logo-fit-ways']}>
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
  const text = texts.modes[mode];
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
    <div className={styles['logo-fit-way']}>
      <div className={ui['logo-pair']}>
        <canvas ref={light} className={ui['logo-light']} width={width} height={height} role="img" aria-label={text} />
        <canvas ref={dark} className={ui['logo-dark']} width={width} height={height} />
      </div>
      <Button onClick={use}>{texts.use(text)}</Button>
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
