//! Line charts as SVG, drawn by the crate plotters.

use plotters::coord::Shift;
use plotters::prelude::*;

/// One line of a chart.
pub struct Line {
    /// Shown in the legend; lines of one label have one colour.
    pub label: String,
    pub points: Vec<(f64, f64)>,
}

/// What a chart's horizontal axis means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Across {
    /// Seconds of the measured span.
    Seconds,
    /// Percentiles: a point's position is the number of nines of the share below it.
    Nines,
}

pub struct Chart {
    pub title: String,
    pub unit: &'static str,
    pub across: Across,
    /// Each step up the same factor, for latencies.
    pub log: bool,
    pub lines: Vec<Line>,
}

const SIZE: (u32, u32) = (560, 300);
const COLOURS: [RGBColor; 5] = [
    RGBColor(22, 105, 175),
    RGBColor(214, 96, 24),
    RGBColor(46, 139, 87),
    RGBColor(130, 80, 160),
    RGBColor(90, 90, 90),
];

/// Position of a share below (0 to 1) among percentiles.
pub fn nines(share: f64) -> f64 {
    -(1.0 - share).max(1e-9).log10()
}

fn percentile(position: f64) -> String {
    let nines = position.round() as i32;
    if (position - f64::from(nines)).abs() > 0.01 {
        return String::new();
    }
    match nines {
        0 => "0 %".into(),
        1 => "90 %".into(),
        2 => "99 %".into(),
        nines => format!("99.{} %", "9".repeat((nines - 2) as usize)),
    }
}

fn amount(value: f64) -> String {
    match value.abs() {
        v if v >= 1e6 => {
            format!("{:.4} M", value / 1e6).replace(".0000", "").trim_end_matches('0').to_owned()
        }
        v if v >= 1e4 => format!("{:.0} k", value / 1e3),
        v if v >= 10.0 || v == 0.0 => format!("{value:.0}"),
        v if v >= 0.1 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

impl Chart {
    /// The SVG; nothing if there is no line to draw.
    ///
    /// # Errors
    /// What the library says.
    pub fn svg(&self) -> Result<Option<String>, String> {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        if self.lines.iter().all(|line| line.points.len() < 2) {
            return Ok(None);
        }
        let mut svg = String::new();
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let (mut right, mut top, mut bottom) = (0.0_f64, 0.0_f64, f64::MAX);
        for (x, y) in points() {
            right = right.max(*x);
            top = top.max(*y);
            bottom = if *y > 0.0 { bottom.min(*y) } else { bottom };
        }
        let up = if self.log {
            let bottom = bottom.min(top).max(1e-6).log10().floor();
            bottom..(top.max(1e-6).log10() + 0.1).max(bottom + 1.0)
        } else {
            0.0..(top * 1.1).max(1e-3)
        };
        self.draw(&root, right.max(1e-3), up).map_err(|error| format!("a chart: {error}"))?;
        drop(root);
        Ok(Some(svg))
    }

    fn draw(
        &self,
        root: &DrawingArea<SVGBackend<'_>, Shift>,
        right: f64,
        up: std::ops::Range<f64>,
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let wrong =
            |error: DrawingAreaErrorKind<_>| -> Box<dyn std::error::Error> { error.to_string().into() };
        root.fill(&WHITE).map_err(wrong)?;
        let caption = format!("{}, {}", self.title, self.unit);
        let mut chart = ChartBuilder::on(root)
            .caption(caption, ("sans-serif", 15))
            .margin(8)
            .margin_right(30)
            .x_label_area_size(28)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..right, up.clone())
            .map_err(wrong)?;
        let decades = (up.end - up.start).ceil() as usize + 1;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(222, 222, 222))
            .axis_style(RGBColor(120, 120, 120))
            .label_style(("sans-serif", 12))
            .x_labels(if self.across == Across::Nines { right.ceil() as usize + 1 } else { 8 })
            .y_labels(if self.log { decades } else { 6 })
            .x_label_formatter(&|x| {
                if self.across == Across::Nines { percentile(*x) } else { format!("{x:.0} s") }
            })
            .y_label_formatter(&|y| if self.log { amount(10_f64.powf(*y)) } else { amount(*y) })
            .draw()
            .map_err(wrong)?;
        let mut labels: Vec<&str> = Vec::new();
        for line in &self.lines {
            let known = labels.iter().position(|label| *label == line.label);
            let number = known.unwrap_or(labels.len());
            let colour = COLOURS[number % COLOURS.len()];
            let height = |y: f64| if self.log { y.max(1e-6).log10().max(up.start) } else { y };
            let points = line.points.iter().map(|(x, y)| (*x, height(*y)));
            let drawn = chart.draw_series(LineSeries::new(points, colour.stroke_width(2))).map_err(wrong)?;
            if known.is_none() {
                labels.push(&line.label);
                drawn
                    .label(line.label.clone())
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], colour.stroke_width(2)));
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .label_font(("sans-serif", 12))
            .background_style(WHITE.mix(0.8))
            .draw()
            .map_err(wrong)?;
        root.present().map_err(wrong)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_its_lines_and_axes_and_nothing_from_elsewhere() {
        let line = |label: &str, scale: f64| Line {
            label: label.into(),
            points: (0..50).map(|at| (f64::from(at) / 10.0, scale * f64::from(at + 1))).collect(),
        };
        for across in [Across::Seconds, Across::Nines] {
            let lines = vec![line("one", 1.0), line("one", 2.0), line("other", 30.0)];
            let chart = Chart { title: "t".into(), unit: "ms", across, log: across == Across::Nines, lines };
            let svg = chart.svg().unwrap().unwrap();
            assert!(svg.contains("<polyline") && svg.contains("one") && svg.contains("other"));
            assert_eq!(svg.contains("99.9 %"), across == Across::Nines, "{svg}");
            assert_eq!(svg.matches("http").count(), svg.matches("http://www.w3.org/2000/svg").count());
        }
        let empty =
            Chart { title: "t".into(), unit: "ms", across: Across::Seconds, log: false, lines: Vec::new() };
        assert!(empty.svg().unwrap().is_none());
    }
}
