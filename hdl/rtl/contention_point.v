// ACCurate's contention point in front of one link: an FRP in and out every cycle, no state per
// flow. hdl/README.md has the interface, the widths and the rounding; the model that this is held
// against, bit for bit, is packages/schemes/src/accurate/circuit.ts.
//
// In a cycle first the tick acts, then the FRP. Eq. 1 is always taken of the old registers as the
// cycle leaves them: a tick makes the running ones old, a flow-init adds its flow to the old ones.
module contention_point #(
    // Bits of a rate, and of a count of flows.
    parameter RATE = 12,
    parameter COUNT = 7,
    // C and C (1 - alpha) in steps; a cut of CR by more than URGENT asks for a short circuit.
    parameter [RATE-1:0] CAPACITY = 4095,
    parameter [RATE-1:0] SHAREABLE = 3890,
    parameter [RATE-1:0] URGENT = 409,
    // Amendments to the paper: also compare with the old FSR; never below an equal share.
    parameter REMEMBERS = 1,
    parameter FLOORS = 1,
    // 0: array, 1: pipeline of STAGES (a share takes two cycles more), 2: serial.
    parameter DIVIDER = 0,
    parameter STAGES = 4
) (
    input  wire            clk,
    input  wire            reset,
    // The end of a rate re-evaluation period.
    input  wire            tick,
    // 4: FRP, 5: flow-init, 6: flow-stop, 7: flow-stop before this period's FRP; 0: none of these.
    input  wire [     2:0] in_type,
    input  wire [RATE-1:0] in_current,
    input  wire [RATE-1:0] in_desired,
    output wire [     2:0] out_type,
    output wire [RATE-1:0] out_current,
    output wire [RATE-1:0] out_desired,
    // Tell the source at once, with the fields that leave (section II-A).
    output wire            out_urgent
);
  wire is_frp = in_type == 3'd4;
  wire is_init = in_type == 3'd5;
  wire is_stop = in_type == 3'd6;
  wire is_stop_unsent = in_type == 3'd7;

  reg [RATE-1:0] fsr, old_fsr;
  reg [COUNT-1:0] m, old_m;
  reg [RATE:0] b, old_b;
  reg [RATE-1:0] b_max, old_b_max;
  reg [COUNT-1:0] elsewhere, old_elsewhere;

  // --- The old registers: after the tick, then after the flow.
  wire [RATE-1:0] old_fsr_now = tick ? fsr : old_fsr;
  wire old_here = old_fsr_now <= in_current;
  wire [COUNT-1:0] old_m_next;
  wire [RATE:0] old_b_next;
  wire [RATE-1:0] old_b_max_next;
  wire [COUNT-1:0] old_elsewhere_next;
  period_registers #(
      .RATE (RATE),
      .COUNT(COUNT)
  ) old_registers (
      .add(is_init),
      .remove(is_stop | is_stop_unsent),
      .here(old_here),
      .current(in_current),
      .m(tick ? m : old_m),
      .b(tick ? b : old_b),
      .b_max(tick ? b_max : old_b_max),
      .elsewhere(tick ? elsewhere : old_elsewhere),
      .m_next(old_m_next),
      .b_next(old_b_next),
      .b_max_next(old_b_max_next),
      .elsewhere_next(old_elsewhere_next)
  );

  // --- Eq. 1.
  wire come;
  wire [RATE-1:0] value;
  share #(
      .RATE(RATE),
      .COUNT(COUNT),
      .CAPACITY(CAPACITY),
      .SHAREABLE(SHAREABLE),
      .FLOORS(FLOORS),
      .DIVIDER(DIVIDER),
      .STAGES(STAGES)
  ) eq1 (
      .clk(clk),
      .reset(reset),
      .divide(tick | is_init),
      .next_m(old_m_next),
      .next_b(old_b_next),
      .next_b_max(old_b_max_next),
      .next_elsewhere(old_elsewhere_next),
      .old_m(old_m),
      .old_b(old_b),
      .old_b_max(old_b_max),
      .old_elsewhere(old_elsewhere),
      .come(come),
      .value(value)
  );
  // The array's share counts in its own cycle, the others' from the next.
  wire [RATE-1:0] fsr_next = come ? value : fsr;
  wire [RATE-1:0] fsr_now = DIVIDER == 0 ? fsr_next : fsr;

  // --- The running registers: emptied by the tick, then the flow is counted (section II).
  wire here = (fsr_now <= in_current) | ((REMEMBERS != 0) & old_here);
  wire [COUNT-1:0] m_next;
  wire [RATE:0] b_next;
  wire [RATE-1:0] b_max_next;
  wire [COUNT-1:0] elsewhere_next;
  period_registers #(
      .RATE (RATE),
      .COUNT(COUNT)
  ) running_registers (
      .add(is_frp | is_init),
      .remove(is_stop),
      .here(here),
      .current(in_current),
      .m(tick ? {COUNT{1'b0}} : m),
      .b(tick ? {(RATE + 1) {1'b0}} : b),
      .b_max(tick ? {RATE{1'b0}} : b_max),
      .elsewhere(tick ? {COUNT{1'b0}} : elsewhere),
      .m_next(m_next),
      .b_next(b_next),
      .b_max_next(b_max_next),
      .elsewhere_next(elsewhere_next)
  );

  always @(posedge clk) begin
    if (reset) begin
      fsr <= SHAREABLE;
      old_fsr <= SHAREABLE;
      {m, b, b_max, elsewhere} <= {(2 * RATE + 1 + 2 * COUNT) {1'b0}};
      {old_m, old_b, old_b_max, old_elsewhere} <= {(2 * RATE + 1 + 2 * COUNT) {1'b0}};
    end else begin
      fsr <= fsr_next;
      old_fsr <= old_fsr_now;
      m <= m_next;
      b <= b_next;
      b_max <= b_max_next;
      elsewhere <= elsewhere_next;
      old_m <= old_m_next;
      old_b <= old_b_next;
      old_b_max <= old_b_max_next;
      old_elsewhere <= old_elsewhere_next;
    end
  end

  // --- What leaves: CR (section II) and DR (section II-C) no higher than FSR. Beside a pipeline
  // FRPs wait as long as a share takes: one cycle to the registers, STAGES to divide, one to FSR.
  wire [2:0] last_type;
  wire [RATE-1:0] last_current;
  wire [RATE-1:0] last_desired;
  generate
    if (DIVIDER == 1) begin : line
      localparam FRP = 2 * RATE + 3;
      localparam CYCLES = STAGES + 2;
      reg [CYCLES*FRP-1:0] waiting;
      always @(posedge clk) begin
        if (reset) waiting <= {(CYCLES * FRP) {1'b0}};
        else waiting <= {waiting[(CYCLES-1)*FRP-1:0], in_type, in_current, in_desired};
      end
      assign {last_type, last_current, last_desired} = waiting[(CYCLES-1)*FRP+:FRP];
    end else begin : straight
      assign {last_type, last_current, last_desired} = {in_type, in_current, in_desired};
    end
  endgenerate
  wire is_ours = last_type[2];
  wire reaches = is_ours & (fsr_now <= last_current);
  wire [RATE-1:0] cut = last_current - fsr_now;
  assign out_type = last_type;
  assign out_current = reaches ? fsr_now : last_current;
  assign out_desired = is_ours & (fsr_now <= last_desired) ? fsr_now : last_desired;
  // An FRP or a flow-init, not a flow-stop.
  assign out_urgent = reaches & ~last_type[1] & (cut > URGENT);

`ifdef FORMAL
  // Proved by hdl/formal.ts for every sequence of inputs, by induction over cycles.
  initial begin
    fsr = SHAREABLE;
    old_fsr = SHAREABLE;
    {m, b, b_max, elsewhere} = 0;
    {old_m, old_b, old_b_max, old_elsewhere} = 0;
  end
  always @* begin
    // A share is never nothing, and never more than the link has.
    assert (fsr != 0 && fsr <= SHAREABLE);
    assert (old_fsr != 0 && old_fsr <= SHAREABLE);
    if (last_type[2]) assert (out_current <= SHAREABLE && out_desired <= SHAREABLE);
    // Without flows there is no rate of theirs: the divisor of an overcommitted link is not 0.
    assert (elsewhere != 0 || b == 0);
    assert (old_elsewhere != 0 || old_b == 0);
    // No count and no sum wraps.
    if ((is_frp | is_init) & ~tick) begin
      assert (m_next >= m && elsewhere_next >= elsewhere && b_next >= b && b_max_next >= b_max);
    end
    if (is_stop & ~tick) assert (m_next <= m && elsewhere_next <= elsewhere && b_next <= b);
    // What is full stays full.
    if (~tick & (&m)) assert (&m_next);
    if (~tick & (&b) & (elsewhere != 1)) assert (&b_next);
  end
`endif
endmodule
