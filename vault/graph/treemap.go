package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Area is a part of a whole in a treemap.
type Area struct {
	ID, Name string
	Size     int    // with all that is below it
	Href     string // to which it leads; empty leads nowhere
	Below    []Area
}

// The measures of a treemap, in pixels.
const (
	mapWide, mapHigh = 960, 600
	capHigh          = 20 // of the line with an area's name
	least            = 3  // of a side that is still drawn
)

// frame is a rectangle.
type frame struct{ x, y, w, h float64 }

// DrawTreemap draws areas as rectangles, each as large as its share of the whole, and what is
// below it inside. The same areas give the same bytes. The layout is that of squarified
// treemaps (Bruls, Huizing and van Wijk, 2000).
func DrawTreemap(all []Area) string {
	role, total := "img", 0
	for _, a := range all {
		if total += a.Size; a.Href != "" {
			role = "group"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="%s" aria-label="%d areas, %d tokens" font-family="sans-serif" font-size="12">`+"\n", mapWide, mapHigh, mapWide, mapHigh, role, len(all), total)
	fmt.Fprintf(&b, "<title>%d areas, %d tokens</title>\n", len(all), total)
	if role == "img" && len(all) > 0 {
		b.WriteString("<style>" + Dark + "</style>\n")
	}
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d" fill="#fff"/>`+"\n", mapWide, mapHigh)
	tiles(&b, all, frame{0, 0, mapWide, mapHigh}, 0)
	b.WriteString("</svg>\n")
	return b.String()
}

// shades are the colours of the levels.
var shades = [...]string{"#e4ecf7", "#fff8e6", "#eef7ea"}

// tiles draws areas into a frame.
func tiles(b *strings.Builder, all []Area, f frame, level int) {
	all = slices.DeleteFunc(slices.Clone(all), func(a Area) bool { return a.Size <= 0 })
	slices.SortStableFunc(all, func(a, b Area) int { return cmp.Or(b.Size-a.Size, strings.Compare(a.ID, b.ID)) })
	total := 0
	for _, a := range all {
		total += a.Size
	}
	if total == 0 {
		return
	}
	scale := f.w * f.h / float64(total)
	for len(all) > 0 && f.w >= least && f.h >= least {
		n := rowLength(all, min(f.w, f.h), scale)
		f = lay(b, all[:n], f, scale, level)
		all = all[n:]
	}
}

// rowLength returns how many areas go into the next row along a side, so that they are as square as
// can be.
func rowLength(all []Area, side, scale float64) int {
	best := 0.0
	sum := 0
	for n := 1; n <= len(all); n++ {
		sum += all[n-1].Size
		thick := float64(sum) * scale / side
		worst := max(float64(all[0].Size)*scale/thick/thick, thick*thick/(float64(all[n-1].Size)*scale))
		if n > 1 && worst > best {
			return n - 1
		}
		best = worst
	}
	return len(all)
}

// lay draws a row along the shorter side, and returns what is left of the frame.
func lay(b *strings.Builder, areas []Area, f frame, scale float64, level int) frame {
	sum := 0
	for _, a := range areas {
		sum += a.Size
	}
	thick := float64(sum) * scale / min(f.w, f.h)
	x, y := f.x, f.y
	for _, a := range areas {
		long := float64(a.Size) * scale / thick
		if f.w < f.h {
			tile(b, a, frame{x, y, long, thick}, level)
			x += long
		} else {
			tile(b, a, frame{x, y, thick, long}, level)
			y += long
		}
	}
	if f.w < f.h {
		return frame{f.x, f.y + thick, f.w, f.h - thick}
	}
	return frame{f.x + thick, f.y, f.w - thick, f.h}
}

// tile draws one area, and what is below it inside.
func tile(b *strings.Builder, a Area, f frame, level int) {
	if f.w < least || f.h < least {
		return
	}
	open, end := "<g>", "</g>"
	if a.Href != "" {
		open, end = `<a href="`+escape(a.Href)+`">`, "</a>"
	}
	fmt.Fprintf(b, `%s<title>%s: %d tokens</title><rect class="box l%d" x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="#557"/>`, open, escape(label(a.Name)), a.Size, level%len(shades), f.x, f.y, f.w, f.h, shades[level%len(shades)])
	if letters := int(f.w-8) / 7; letters > 2 && f.h > capHigh-4 {
		fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f" fill="#112">%s</text>`, f.x+4, f.y+14, escape(cutLetters(label(a.Name), letters)))
	}
	b.WriteString(end + "\n")
	if inside := (frame{f.x + 3, f.y + capHigh, f.w - 6, f.h - capHigh - 3}); inside.w > 2*capHigh && inside.h > capHigh {
		tiles(b, a.Below, inside, level+1)
	}
}

// LargestAreas returns at most n areas, the largest, and one more that stands for all others.
func LargestAreas(all []Area, n int) []Area {
	if len(all) <= n {
		return all
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b Area) int { return cmp.Or(b.Size-a.Size, strings.Compare(a.ID, b.ID)) })
	rest := Area{Name: fmt.Sprintf("%d more", len(all)-n)}
	for _, a := range sorted[n:] {
		rest.Size += a.Size
	}
	return append(sorted[:n:n], rest)
}
