//go:build e2e

package main_test

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The photographs in the README: pages of the sample in a window of one size. With
// CP_PICTURE=write (make pictures) they are taken anew. Their pixels are not compared, since
// another machine has other fonts; that they are there, of that size and not empty, is.
func TestE2EPictures(t *testing.T) {
	ctx := tab(t, chromedp.Flag("force-device-scale-factor", "1"), chromedp.Flag("hide-scrollbars", true))
	s, _, _ := shelved(t)
	sample, err := filepath.Abs("../internal/demo/sample")
	if err != nil {
		t.Fatal(err)
	}
	s.must("git rm -rqf -- '*.md' && command cp -r '" + sample + "/.' . && cp memory sync >/dev/null")
	s.must("cp memory observe 'A worker that is drained keeps its allocation until the job is evaluated again'; cp memory observe 'The status page caches for five minutes'")
	s.env = append(s.env, "CP_PROJECT=handbook")
	s.serve(t)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 720)); err != nil {
		t.Fatal(err)
	}
	goTo(t, ctx, s.link)
	for name, at := range map[string]string{"page.png": "/at?p=deployment/troubleshooting.md", "queue.png": "/review"} {
		photograph(t, ctx, s.base+at, filepath.Join("../../testdata", name))
	}
}

// photograph takes a picture of a page if it is asked to, and looks at the one that there is.
func photograph(t *testing.T, ctx context.Context, address, name string) {
	t.Helper()
	goTo(t, ctx, address)
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CP_PICTURE") == "write" {
		if err := os.WriteFile(name, shot, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v: run make pictures", err)
	}
	for which, text := range map[string][]byte{"the page now": shot, name: there} {
		picture, err := png.Decode(bytes.NewReader(text))
		if err != nil || picture.Bounds().Dx() != 1200 || picture.Bounds().Dy() != 720 || len(text) < 10_000 {
			t.Errorf("%s: %d bytes, %v", which, len(text), err)
		}
	}
}
